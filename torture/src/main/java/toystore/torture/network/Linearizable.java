package toystore.torture.network;

import java.io.IOException;
import java.util.Optional;
import toystore.torture.Round;
import toystore.torture.Trial;

/// The days of [LossyNetwork], their histories checked as a whole by [Porcupine].
public final class Linearizable implements Trial {
  @Override
  public String name() {
    return "linearizable";
  }

  @Override
  public String unit() {
    return "requests";
  }

  @Override
  public long wanted() {
    return 5_000;
  }

  @Override
  public Optional<String> missing() {
    return Porcupine.missing();
  }

  @Override
  public long round(Round round) throws IOException, InterruptedException {
    try (var day = new StormyDay(round, new FaultyLinks(round.seed()))) {
      long requests = day.live();
      Porcupine.check(day.written(), round.out());
      return requests;
    }
  }
}
