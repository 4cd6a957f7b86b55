package toystore.payment.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.payment.domain.Payment.State.AUTHORISED;
import static toystore.payment.domain.Payment.State.AUTHORISED_NOT_CAPTURABLE;
import static toystore.payment.domain.Payment.State.CAPTURED;
import static toystore.payment.domain.Payment.State.CAPTURE_REFUSED;
import static toystore.payment.domain.Payment.State.DECLINED;
import static toystore.payment.domain.Payment.State.VOIDED;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import toystore.payment.domain.Payment;
import toystore.payment.domain.PaymentCommand;
import toystore.payment.domain.PaymentUnitOfWork;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Submitted;
import toystore.platform.storage.Database;
import toystore.platform.storage.NotExecutedException;
import toystore.platform.storage.PostgresSchema;
import toystore.platform.storage.PostgresServer;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;
import toystore.testkit.TestDatabase;
import toystore.testkit.TestDatabase.Engine;

/// Seeded random walk of the ledger against a naive model: several commands at a time with few ids,
/// commits that fail, and restarts with the database as a killed process leaves it.
///
/// `-Dwalk.seeds=N` sets the number of seeds.
@Tag("walk")
@ParameterizedClass
@EnumSource(Engine.class)
@SuppressWarnings("NullAway.Init") // set before each test
class LedgerRandomWalkTest {
  private static final String UNWRITABLE = "unwritable";
  private static final Instant NOW = Instant.ofEpochMilli(1_800_000_000_000L);
  private static final int RESTARTS = 3;
  private static final int ROUNDS = 60;

  @Parameter Engine engine;
  @TempDir Path folder;

  /// The ids in the order in which they were first seen, each with `amount state`.
  private final Map<String, String> model = new LinkedHashMap<>();

  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("walk.seeds", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void ledgerEqualsANaiveModelAcrossRestarts(long seed) throws Exception {
    var random = new Random(seed);
    var stored = new TestDatabase(engine, folder, "payment");
    for (int restart = 0; restart < RESTARTS; restart++) {
      try (Database database = open(stored);
          ReadPool readers = database.readers(1, 10);
          var writer =
              new SingleWriter<>(
                      "walk", database, new PaymentBatches(database, () -> NOW), 100, 7, _ -> {})
                  .start()) {
        assertLedgerEqualsModel(readers);
        for (int round = 0; round < ROUNDS; round++) {
          failToCommit(writer);
          submitSome(random, writer, readers);
        }
        assertLedgerEqualsModel(readers);
        stored.kill();
      }
    }
  }

  private static Database open(TestDatabase stored) throws SQLException {
    Database database =
        stored.open(
            file -> SqliteFile.open(file, "db/payment"),
            url -> PostgresSchema.of(new PostgresServer(url, "postgres", ""), "payment"),
            PostgresSchema::tryBecomeWriter);
    stored.refuse(database.queryConnection(), "payment", "payment_id", UNWRITABLE);
    return database;
  }

  private static void failToCommit(SingleWriter<PaymentUnitOfWork> writer) {
    var failed =
        writer.submit(new Submitted<>(new PaymentCommand.Void(UNWRITABLE))).toCompletableFuture();
    assertThat(failed.handle((_, failure) -> failure).join())
        .isInstanceOf(NotExecutedException.class);
  }

  private void submitSome(Random random, SingleWriter<PaymentUnitOfWork> writer, ReadPool readers) {
    List<String> expected = new ArrayList<>();
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = random.nextInt(20); i >= 0; i--) {
      PaymentCommand command = command(random);
      expected.add(decideInModel(command));
      answers.add(
          writer
              .submit(new Submitted<>(command))
              .thenApply(it -> describe(it) + (isCommitted(command, it, readers) ? "" : " lost"))
              .toCompletableFuture());
    }
    assertThat(answers.stream().map(CompletableFuture::join)).containsExactlyElementsOf(expected);
  }

  /// Whether a second connection finds the payment at the moment of the answer.
  private static boolean isCommitted(
      PaymentCommand command, Answer<Payment.State> answer, ReadPool readers) {
    return answer instanceof Answer.Refusal
        || readers
            .read(connection -> PaymentStore.find(connection, command.paymentId()))
            .toCompletableFuture()
            .join()
            .isPresent();
  }

  private static PaymentCommand command(Random random) {
    String id = "id-" + random.nextInt(150);
    return switch (random.nextInt(3)) {
      case 0 ->
          new PaymentCommand.Authorise(
              id,
              random.nextInt(8) == 0 ? 6 : 5,
              List.of(AUTHORISED, AUTHORISED, AUTHORISED_NOT_CAPTURABLE, DECLINED)
                  .get(random.nextInt(4)));
      case 1 -> new PaymentCommand.Capture(id);
      default -> new PaymentCommand.Void(id);
    };
  }

  private String decideInModel(PaymentCommand command) {
    String id = command.paymentId();
    String known = model.get(id);
    switch (command) {
      case PaymentCommand.Authorise(_, long amount, Payment.State state) -> {
        if (known == null) {
          model.put(id, amount + " " + state);
        } else if (!known.startsWith("0 ") && !known.startsWith(amount + " ")) {
          return "KEY_REUSED";
        }
      }
      case PaymentCommand.Capture _ -> {
        if (known == null) {
          return "PAYMENT_NOT_FOUND";
        }
        if (known.endsWith(" " + DECLINED) || known.endsWith(" " + VOIDED)) {
          return "NOT_AUTHORISED";
        }
        model.computeIfPresent(id, (_, it) -> changed(it, AUTHORISED, CAPTURED));
        model.computeIfPresent(
            id, (_, it) -> changed(it, AUTHORISED_NOT_CAPTURABLE, CAPTURE_REFUSED));
      }
      case PaymentCommand.Void _ -> {
        if (known != null && known.endsWith(" " + CAPTURED)) {
          return "ALREADY_CAPTURED";
        }
        model.putIfAbsent(id, "0 " + VOIDED);
        model.computeIfPresent(id, (_, it) -> changed(it, AUTHORISED, VOIDED));
        model.computeIfPresent(id, (_, it) -> changed(it, AUTHORISED_NOT_CAPTURABLE, VOIDED));
      }
    }
    return model.getOrDefault(id, "").replaceFirst(".* ", "");
  }

  private static String changed(String payment, Payment.State from, Payment.State to) {
    return payment.replaceFirst(" " + from + "$", " " + to);
  }

  private static String describe(Answer<Payment.State> answer) {
    return switch (answer) {
      case Answer.Done(Payment.State state, _) -> state.name();
      case Answer.Refusal(ErrorReason reason, _, _) -> reason.name();
      case Answer.NotDecided(Answer.Cause cause) -> cause.name();
    };
  }

  private void assertLedgerEqualsModel(ReadPool readers) {
    List<Payment> expected = new ArrayList<>();
    model.forEach((id, payment) -> {
      String[] parts = payment.split(" ");
      expected.add(
          new Payment(
              expected.size(), id, Long.parseLong(parts[0]), Payment.State.valueOf(parts[1]), NOW));
    });
    assertThat(
            readers
                .read(connection -> PaymentStore.page(connection, 0, Integer.MAX_VALUE))
                .toCompletableFuture()
                .join())
        .isEqualTo(expected);
  }
}
