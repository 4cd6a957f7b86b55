package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.torture.StoreProcesses.await;

import java.io.IOException;
import java.time.Duration;

/// A thousand connections that send a byte a second, half of them a head, half a body. They keep
/// nobody out, and each is ended in bounded time.
public final class SlowSenders implements Trial {
  private static final int MANY = 1_000;
  private static final int OTHERS = 32;

  @Override
  public String name() {
    return "slow-senders";
  }

  @Override
  public String unit() {
    return "slow senders";
  }

  @Override
  public long wanted() {
    return MANY;
  }

  @Override
  public long round(Round round) throws Exception {
    try (var store = Overload.started(round)) {
      Http http = store.http("frontend");
      ask(http, round, Duration.ofSeconds(round.quick() ? 3 : 15));
      double share = 0;
      for (int again = 0; share < leastShare(round) && again < 3; again++) {
        share = share(http, round);
      }
      assertThat(share)
          .isFinite()
          .as("goodput beside %,d slow senders", MANY)
          .isGreaterThan(leastShare(round));
      assertThat(http.audit().body()).startsWith("{\"ok\":true");
      return MANY;
    }
  }

  private static double leastShare(Round round) {
    return round.quick() ? 0.5 : 0.7;
  }

  /// Others are served alone, then beside the slow.
  private static double share(Http http, Round round) throws IOException, InterruptedException {
    Duration time = Duration.ofSeconds(round.quick() ? 2 : 6);
    round.out().println(Tally.head());
    Tally alone = ask(http, round, time);
    round.out().println(alone.line(OTHERS));
    try (var slow = new SlowCrowd(http.port(), MANY)) {
      await(() -> slow.began() == MANY);
      long before = slow.slow();
      Tally beside = ask(http, round, time);
      round.out().println(beside.line(OTHERS));
      round.out().printf("beside %,d slow senders at first, %,d at last%n", before, slow.slow());
      await(() -> slow.slow() == 0);
      round.out().printf("the longest was borne %.1f s%n", slow.longest().toMillis() / 1e3);
      return beside.goodput() / alone.goodput();
    }
  }

  private static Tally ask(Http http, Round round, Duration time) throws IOException {
    try (var crowd = new Crowd(http.port(), OTHERS, Crowd.Wish.MIXED, round.seed())) {
      Tally tally = crowd.ask(time);
      Tally rest = crowd.leave();
      assertThat(tally.wrong + rest.wrong).as(tally.firstWrong + rest.firstWrong).isZero();
      assertThat(tally.unanswered + rest.unanswered)
          .as("requests without an answer %s%s", tally.firstBroken, rest.firstBroken)
          .isZero();
      return tally;
    }
  }
}
