package toystore.cli.load;

import java.util.List;
import java.util.regex.Pattern;
import toystore.cli.command.CommandRefusal;
import toystore.cli.load.ResponseCheck.Verdict;

/// The StockBazaar service over the line protocol as a target, with one connection per client.
///
/// @param at the address of the line protocol
record LineProtocolLoad(HostAndPort at) implements LoadTarget {
  private static final List<String> STOCKS = List.of("GameStart", "FishCo", "BoarCo", "MenhirCo");
  private static final Pattern PRICE = Pattern.compile("\\d+\\.\\d{1,2}");

  /// The stocks of the shipped catalog: the protocol has no request that lists them.
  @Override
  public List<String> products(LoadKind kind) {
    return STOCKS;
  }

  @Override
  public Client client(LoadKind kind) {
    if (kind != LoadKind.LOOKUP) {
      throw CommandRefusal.usage("--kind for %s must be lookup", at);
    }
    var connection =
        new LineConnection(
            at,
            "the line protocol",
            "to enable it, start the catalog with --toystore.catalog.line-port");
    Client client =
        (product, _) -> {
          var answer = connection.request("Lookup," + product + "\n");
          return () ->
              answer.equals("0")
                  ? new Verdict.Refused("suspended")
                  : Verdict.of(PRICE.matcher(answer).matches(), "price missing", answer);
        };
    return client.closing(connection::close);
  }
}
