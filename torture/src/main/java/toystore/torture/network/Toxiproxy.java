package toystore.torture.network;

import java.io.IOException;
import java.util.Optional;
import toystore.torture.Round;
import toystore.torture.Trial;

/// The days of [LossyNetwork] behind a network that somebody else has thought out: latency,
/// silence, resets, small pieces, connections that end in the middle, that close late, or cannot be
/// made.
public final class Toxiproxy implements Trial {
  @Override
  public String name() {
    return "toxiproxy";
  }

  @Override
  public String unit() {
    return "requests";
  }

  @Override
  public long wanted() {
    return 3_000;
  }

  @Override
  public Optional<String> missing() {
    return Tool.missing(Toxics.PROGRAM).or(Porcupine::missing);
  }

  @Override
  public long round(Round round) throws IOException, InterruptedException {
    try (var network = new Toxics(round.seed());
        var day = new StormyDay(round, network)) {
      long requests = day.live();
      Porcupine.check(day.written(), round.out());
      return requests;
    }
  }
}
