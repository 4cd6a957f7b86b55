package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.CatalogServiceGrpc.CatalogServiceBlockingStub;
import toystore.catalog.v1.GetSaleRequest;
import toystore.catalog.v1.ListProductsRequest;
import toystore.catalog.v1.Sale;
import toystore.catalog.v1.SellRequest;
import toystore.catalog.v1.Series;
import toystore.clients.Conditions;
import toystore.clients.GrpcTestClient;
import toystore.clients.Project;
import toystore.clients.StoreProcesses;
import toystore.common.v1.Line;
import toystore.common.v1.SaleKind;
import toystore.platform.journal.RequestKey;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.RpcError;
import toystore.platform.service.ExitCode;
import toystore.torture.trial.TrialRound;

/// One bit of the catalog's files is flipped, or the end of its log is cut off, and the catalog is
/// started with them. If SQLite does not detect the damage, the rows' checksums do: every response
/// is the same as without the damage, or an error, and nothing is sold twice.
///
/// @param questions in the order in which they are asked after the damage; the sales are first
record FlippedBits(StoreProcesses store, List<Question> questions) {
  private static final int QUICK = 12;
  private static final int TRIES = 50;
  private static final int TOYS = 8;
  private static final int SALES = 60;
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final String DATABASE = "catalog.db";
  private static final String LOG = "catalog.db-wal";

  /// A request, and its answer before the damage.
  private record Question(
      String name, Function<CatalogServiceBlockingStub, ?> request, Object answer) {}

  /// The effect of the damage.
  private enum DamageOutcome {
    /// The damaged bytes are not in use.
    HARMLESS,
    /// The service does not start and its message names the file.
    NOT_STARTED,
    /// Some requests fail, all others are answered correctly, and the audit finds the damage.
    FOUND,
    /// SQLite dropped the end of the log, and with it the last sales. Of these, an order service
    /// notices purchases.
    LAST_SALES_LOST
  }

  static long round(TrialRound round) throws Exception {
    var random = new Random(round.seed());
    Map<DamageOutcome, Integer> outcomes = new EnumMap<>(DamageOutcome.class);
    int tries = round.quick() ? QUICK : TRIES;
    try (var store = new StoreProcesses(round.folder())) {
      var trial = new FlippedBits(store, new ArrayList<>());
      trial.trade(round.folder());
      for (int i = 0; i < tries; i++) {
        Path folder = round.folder().resolve("damaged-" + i);
        copy(
            round.folder().resolve(random.nextInt(3) > 0 ? "closed" : "killed"),
            folder.resolve("catalog"));
        try {
          outcomes.merge(trial.damage(folder, random), 1, Integer::sum);
        } catch (AssertionError | RuntimeException e) {
          throw new AssertionError("damaged file " + i + ": " + e.getMessage(), e);
        }
        Project.remove(folder);
      }
    }
    round.print("%d damaged files: %s", tries, outcomes);
    return tries;
  }

  /// Sells, and keeps the files twice: as after a kill, and closed properly, so that the log is
  /// copied into the database.
  private void trade(Path folder) throws IOException, InterruptedException {
    store.sell(
        IntStream.range(0, TOYS)
            .mapToObj(it -> format("Toy %d,%d.99,40\n", it, 1 + it))
            .collect(Collectors.joining()));
    start();
    List<Question> retries = new ArrayList<>();
    try (var client = store.grpc("catalog")) {
      for (int i = 0; i < SALES; i++) {
        SellRequest request = request(i);
        String key = "key-" + i;
        Object first = answer(client, it -> sell(it, key, request, false));
        retries.add(new Question("retry of " + key, it -> sell(it, key, request, true), first));
        if (first instanceof Sale sale) {
          var query = GetSaleRequest.newBuilder().setSeries(Series.SERIES_STORE);
          query.setNumber(sale.getNumber());
          ask(client, "sale " + sale.getNumber(), it -> it.getSale(query.build()).getSale());
        }
      }
      var all = ListProductsRequest.getDefaultInstance();
      ask(client, "products", it -> it.listProducts(all).getProductsList());
    }
    questions.addAll(retries);
    store.kill("catalog");
    copy(folder.resolve("data/catalog"), folder.resolve("killed"));
    start();
    store.stop("catalog");
    copy(folder.resolve("data/catalog"), folder.resolve("closed"));
  }

  private void start() throws IOException {
    store.start("catalog");
    Conditions.await(() -> !store.process("catalog").isAlive() || store.isReady("catalog"));
  }

  private static SellRequest request(int number) {
    return SellRequest.newBuilder()
        .setSeries(Series.SERIES_STORE)
        .setKind(SaleKind.SALE_KIND_ORDER)
        .addLines(Line.newBuilder().setName("Toy " + number % TOYS).setQuantity(1 + number % 9))
        .build();
  }

  private static Sale sell(
      CatalogServiceBlockingStub catalog, String key, SellRequest request, boolean replayed) {
    var envelope = new CallEnvelope(new RequestKey("torture", key, true), null);
    Sale sale = catalog.withInterceptors(envelope).sell(request).getSale();
    assertThat(envelope.replayed()).as("retry of %s: %s", key, sale).isEqualTo(replayed);
    return sale;
  }

  private void ask(
      GrpcTestClient client, String name, Function<CatalogServiceBlockingStub, ?> request) {
    questions.add(new Question(name, request, answer(client, request)));
  }

  /// @return the response, the refusal, or NOT_FOUND
  /// @throws StatusRuntimeException if nothing was decided
  private static Object answer(
      GrpcTestClient client, Function<CatalogServiceBlockingStub, ?> request) {
    try {
      return request.apply(client.stub(CatalogServiceGrpc::newBlockingStub, DEADLINE));
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
        return Status.Code.NOT_FOUND;
      }
      if (RpcError.of(e).isDecided()) {
        return e.toString();
      }
      throw e;
    }
  }

  /// Damages files at random, starts the catalog with them and repeats all requests.
  ///
  /// @throws AssertionError if a response is wrong, or if a request failed and the audit finds
  ///   nothing
  private DamageOutcome damage(Path folder, Random random)
      throws IOException, InterruptedException {
    Path log = folder.resolve("catalog").resolve(LOG);
    boolean ofLog = Files.exists(log) && random.nextBoolean();
    Path file = ofLog ? log : log.resolveSibling(DATABASE);
    byte[] bytes = Files.readAllBytes(file);
    int place = random.nextInt(bytes.length);
    if (ofLog && random.nextInt(4) == 0) {
      bytes = Arrays.copyOf(bytes, place);
    } else {
      while (bytes[place] == 0) { // much of a small database is empty
        place = random.nextInt(bytes.length);
      }
      bytes[place] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    }
    Files.write(file, bytes);
    store.with("catalog", "toystore.data", folder.toString());
    start();
    if (!store.process("catalog").isAlive()) {
      assertThat(store.process("catalog").exitValue())
          .as("exit code")
          .isIn(ExitCode.START_REFUSED, ExitCode.DISK_FAILED);
      assertThat(Files.readString(StoreProcesses.log("catalog"))).contains(folder.toString());
      return DamageOutcome.NOT_STARTED;
    }
    try (var client = store.grpc("catalog")) {
      return check(client, ofLog);
    } finally {
      store.kill("catalog");
    }
  }

  private DamageOutcome check(GrpcTestClient client, boolean ofLog) {
    boolean failed = false;
    boolean lost = false;
    for (Question question : questions) {
      try {
        Object answer = answer(client, question.request);
        boolean isSale = question.name.startsWith("sale ");
        if (lost && !isSale) {
          return DamageOutcome.LAST_SALES_LOST;
        }
        lost |= ofLog && isSale && answer == Status.Code.NOT_FOUND;
        assertThat(answer)
            .as(question.name)
            .isEqualTo(lost ? Status.Code.NOT_FOUND : question.answer);
      } catch (StatusRuntimeException notDecided) {
        failed = true;
      }
    }
    boolean found = !isSound(client);
    assertThat(failed && !found).as("a request failed, but the audit finds nothing").isFalse();
    return found ? DamageOutcome.FOUND : DamageOutcome.HARMLESS;
  }

  /// Whether the audit finds nothing. A catalog that finds damage while it writes ends itself.
  private static boolean isSound(GrpcTestClient client) {
    try {
      return client.faults().isEmpty();
    } catch (StatusRuntimeException e) {
      return false;
    }
  }

  /// Copies the catalog's files as a kill leaves them: nothing is written meanwhile.
  static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    for (String name : List.of(DATABASE, LOG)) {
      if (Files.exists(from.resolve(name))) {
        Files.copy(from.resolve(name), to.resolve(name), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
