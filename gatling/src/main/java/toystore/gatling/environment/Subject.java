package toystore.gatling.environment;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// A measured store, or one of several network paths to it.
///
/// @param name in lower case, such as `processes`
/// @param what one-line description
/// @param url of the store's frontend
/// @param audit returns the body of `/audit`; empty: the store cannot be audited
/// @param metrics metrics pages of its services; empty: gRPC calls are not counted
/// @param roundTrips measures the round trips by name: `round-trip` between client and frontend,
///   and others if there are any
/// @param beforeCell called before each of its cells
/// @param about further metadata, by key
public record Subject(
    String name,
    String what,
    URI url,
    Optional<Supplier<String>> audit,
    List<URI> metrics,
    Supplier<Map<String, Duration>> roundTrips,
    Runnable beforeCell,
    Map<String, String> about) {

  /// A subject without preparation before its cells; the round trip is measured to its address.
  static Subject at(
      String name, String what, URI url, Optional<Supplier<String>> audit, List<URI> metrics) {
    return new Subject(
        name,
        what,
        url,
        audit,
        metrics,
        () -> Map.of("round-trip", StoreHttpClient.roundTrip(url)),
        () -> {},
        Map.of());
  }

  /// The same store under another name.
  public Subject as(String other, String whatElse) {
    return new Subject(other, whatElse, url, audit, metrics, roundTrips, beforeCell, about);
  }

  /// A copy with one more action before each of its cells.
  Subject withBeforeCell(Runnable more) {
    Runnable both =
        () -> {
          beforeCell.run();
          more.run();
        };
    return new Subject(name, what, url, audit, metrics, roundTrips, both, about);
  }

  /// A copy with one more metadata entry.
  Subject withAbout(String key, String value) {
    var more = new java.util.HashMap<>(about);
    more.put(key, value);
    return new Subject(name, what, url, audit, metrics, roundTrips, beforeCell, more);
  }
}
