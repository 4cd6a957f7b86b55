package toystore.exchange.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import toystore.exchange.domain.AccountKey;
import toystore.exchange.domain.ExchangeCommand;
import toystore.exchange.domain.ExchangeUnitOfWork;
import toystore.exchange.engine.Side;
import toystore.platform.journal.Answer;
import toystore.platform.journal.RequestKey;
import toystore.platform.journal.Submitted;
import toystore.platform.storage.Database;
import toystore.platform.storage.Transactions;
import toystore.platform.storage.WriterListener;
import toystore.testkit.TestDatabase.Engine;

/// Batches against [ExchangeModel]. Some fail after they were decided or written; some restarts
/// lose an uncommitted batch, or find one that was committed and never published.
///
/// `-Dwalk.seeds=N` sets the number of seeds.
@Tag("walk")
@ParameterizedClass
@EnumSource(Engine.class)
@SuppressWarnings("NullAway.Init") // set before each test
class ExchangeRandomWalkTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.ofEpochSecond(1_700_000_000));
  private static final List<String> SYMBOLS = List.of("AAA", "BBB", "C", "none");
  private static final int BATCHES = 250;
  private static final int MAX_BATCH = 20;

  @Parameter Engine engine;
  @TempDir Path folder;

  private final ExchangeModel model = new ExchangeModel(CLOCK.millis());
  private int accounts;
  private int keys;

  private enum Fate {
    COMMITTED,
    FAILED_BEFORE_WRITE,
    FAILED_BEFORE_COMMIT,
    KILLED_BEFORE_COMMIT,
    KILLED_BEFORE_PUBLISHING,
    KILLED_AFTER_PUBLISHING;

    boolean isCommitted() {
      return this == COMMITTED
          || this == KILLED_BEFORE_PUBLISHING
          || this == KILLED_AFTER_PUBLISHING;
    }

    boolean isKilled() {
      return name().startsWith("KILLED");
    }
  }

  /// What the machine's own writer sees, because this test writes.
  private record Idle(Database unused) implements Transactions {
    @Override
    public void commit() {
      throw new IllegalStateException("this test submits nothing");
    }

    @Override
    public void rollback() {}

    @Override
    public void probe() {}

    @Override
    public void tidy() {}

    @Override
    public boolean tryReconnect(Exception failure) {
      return false;
    }
  }

  /// @param key null: none
  private record Step(ExchangeCommand<?> command, @Nullable String key) {
    Submitted<ExchangeUnitOfWork, ?> submitted() {
      return new Submitted<>(
          command, key == null ? null : new RequestKey("s", key, true), null, () -> false);
    }
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("walk.seeds", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void answersAndRowsEqualAModelAcrossFailuresAndRestarts(long seed) throws Exception {
    var random = new Random(seed);
    try (var machine = new ExchangeMachine(engine, folder, CLOCK, Idle::new, WriterListener.NONE)) {
      var repeatable = new ArrayList<Step>();
      for (int batch = 0; batch < BATCHES; batch++) {
        List<Step> steps = new ArrayList<>();
        for (int i = random.nextInt(MAX_BATCH); i >= 0; i--) {
          steps.add(step(random, repeatable));
        }
        run(machine, steps, fate(random));
        if (batch % 100 == 0) {
          assertState(machine, false);
        }
      }
      assertState(machine, true);
    }
  }

  private Fate fate(Random random) {
    if (random.nextInt(5) > 0) {
      return Fate.COMMITTED;
    }
    if (random.nextInt(5) > 0) {
      return random.nextBoolean() ? Fate.FAILED_BEFORE_WRITE : Fate.FAILED_BEFORE_COMMIT;
    }
    return Fate.values()[3 + random.nextInt(3)];
  }

  /// As the writer does; tells the model if the batch is committed.
  private void run(ExchangeMachine machine, List<Step> steps, Fate fate) throws Exception {
    ExchangeUnitOfWork unit = machine.running().batches().begin();
    List<Answer<?>> results = new ArrayList<>();
    for (Step step : steps) {
      results.add(step.submitted().decide(unit));
    }
    end(machine.running().database(), unit, fate);
    if (fate.isKilled()) {
      machine.restart();
    }
    if (fate.isCommitted()) {
      assertAnswers(machine, steps, results);
    }
  }

  /// An answer that is read after the commit is that of the command, whatever the batch did next.
  private void assertAnswers(ExchangeMachine machine, List<Step> steps, List<Answer<?>> results) {
    List<String> expected = steps.stream().map(it -> model.apply(it.command, it.key)).toList();
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      answers.add(ExchangeModel.text(machine.read(results.get(i))));
    }
    assertThat(answers).isEqualTo(expected);
  }

  private static void end(Database database, ExchangeUnitOfWork unit, Fate fate)
      throws SQLException {
    if (fate != Fate.FAILED_BEFORE_WRITE) {
      unit.write();
    }
    if (fate.isCommitted()) {
      database.commit();
      if (fate != Fate.KILLED_BEFORE_PUBLISHING) {
        unit.publish();
      }
    } else if (!fate.isKilled()) {
      database.rollback();
    }
  }

  private void assertState(ExchangeMachine machine, boolean full) {
    assertThat(machine.rows()).isEqualTo(model.rows());
    for (long order = 1; order <= model.lastOrder() + 1; order += 7) {
      for (AccountKey account : accountsFrom(order)) {
        assertThat(ExchangeModel.text(machine.find(account, order)))
            .isEqualTo(model.find(account, order));
      }
    }
    for (String symbol : SYMBOLS) {
      assertThat(machine.running().feed().depth(symbol))
          .isEqualTo(model.depth(symbol).orElse(null));
    }
    assertThat(machine.audit(full)).allMatch(it -> Boolean.TRUE.equals(it.ok()));
    assertThat(machine.running().batches().openOrders())
        .isEqualTo(model.rows().orders().stream().filter(it -> it.openE4() > 0).count());
  }

  private Step step(Random random, List<Step> repeatable) {
    if (!repeatable.isEmpty() && random.nextInt(10) == 0) {
      Step known = repeatable.get(random.nextInt(repeatable.size()));
      return random.nextInt(4) > 0 ? known : new Step(place(random), known.key);
    }
    ExchangeCommand<?> command = command(random);
    boolean hasKey =
        !(command instanceof ExchangeCommand.CancelOrder)
            && !String.valueOf(command.values().get(0)).startsWith("xml") // which has no keys
            && random.nextInt(3) == 0;
    var step = new Step(command, hasKey ? "k" + keys++ : null);
    if (hasKey) {
      repeatable.add(step);
    }
    return step;
  }

  private ExchangeCommand<?> command(Random random) {
    return switch (random.nextInt(20)) {
      case 0 -> create(random);
      case 1 ->
          new ExchangeCommand.AddShares(
              account(random), SYMBOLS.get(random.nextInt(3)), random.nextInt(5_000_000));
      case 2, 3, 4 -> new ExchangeCommand.CancelOrder(account(random), order(random));
      default -> place(random);
    };
  }

  private static ExchangeCommand<?> place(Random random) {
    return new ExchangeCommand.PlaceOrder(
        account(random),
        SYMBOLS.get(random.nextInt(20) == 0 ? 3 : random.nextInt(3)),
        random.nextBoolean() ? Side.BUY : Side.SELL,
        random.nextInt(200_000),
        1_000_000 + random.nextInt(40) * 1_000);
  }

  private ExchangeCommand<?> create(Random random) {
    String number = String.valueOf(accounts++ % 12);
    return random.nextBoolean()
        ? new ExchangeCommand.CreateAccount(number, null, random.nextLong(1_000_000_000_000L))
        : new ExchangeCommand.CreateAccount(
            null, "buyer:" + random.nextInt(3), random.nextLong(1_000_000_000_000L));
  }

  private static AccountKey account(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> new AccountKey.Xml(String.valueOf(random.nextInt(12)));
      case 1 -> new AccountKey.Numbered(1 + random.nextInt(20), "buyer:" + random.nextInt(3));
      default -> new AccountKey.Numbered(1 + random.nextInt(20), null);
    };
  }

  private static List<AccountKey> accountsFrom(long order) {
    return List.of(
        new AccountKey.Numbered(1 + order % 20, null),
        new AccountKey.Numbered(1 + order % 20, "buyer:1"),
        new AccountKey.Xml(String.valueOf(order % 12)));
  }

  private long order(Random random) {
    return Math.max(1, model.lastOrder() - random.nextInt(60));
  }
}
