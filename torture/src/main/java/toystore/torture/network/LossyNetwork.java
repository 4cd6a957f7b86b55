package toystore.torture.network;

import java.io.IOException;
import toystore.torture.Round;
import toystore.torture.Trial;

/// Clients that repeat, duplicate, reorder and abandon requests, behind links of our own that cut,
/// delay and hold what is said, or let it arrive when its sender has long been told that it is
/// lost. One sale a key, identical answers, a refusal stays a refusal after a restock, 422 for
/// another body; nothing that is told is lost, and nothing is there that nobody asked for.
public final class LossyNetwork implements Trial {
  @Override
  public String name() {
    return "lossy-network";
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
  public long round(Round round) throws IOException, InterruptedException {
    try (var day = new StormyDay(round, new FaultyLinks(round.seed()))) {
      return day.live();
    }
  }
}
