package toystore.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.catalog.v1.ImportProductsRequest;
import toystore.catalog.v1.ImportProductsResponse;
import toystore.catalog.v1.Product;
import toystore.catalog.v1.ProductChange;
import toystore.catalog.v1.SeenDifferences;
import toystore.cli.launch.DataFolder;
import toystore.cli.launch.JavaCommandLine;
import toystore.cli.launch.PortPlan;
import toystore.cli.launch.RunState;
import toystore.cli.launch.StoreLayout;
import toystore.clients.FreePorts;
import toystore.clients.GeneratedRegion;
import toystore.clients.Project;

/// Runs command lines and checks their exit codes and what they print to stderr.
final class CommandsTest {
  private record Ended(int exitCode, String err) {}

  private static final String COMMANDS = "docs/reference/commands.md";

  @TempDir Path folder;

  @Test
  void unknownCommandPrintsTheListOfCommands() {
    var ended = run("upp");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err())
        .startsWith("unknown command: upp\n")
        .contains("up ", "status ", "backup ", "restore ", "import ", "load ", "help ");
  }

  @Test
  void helpAndVersionArePrintedToStdout() {
    var list = stdout("--help");
    assertThat(list)
        .startsWith("Usage: ./toystore [-hV] COMMAND")
        .contains("  up ", "  load ", "  generate-completion ");
    assertThat(List.of(stdout("-h"), stdout("help"))).containsOnly(list);
    for (var command : ToystoreCommand.commandLine().getSubcommands().keySet()) {
      var help = stdout(command, "--help");
      assertThat(help)
          .contains("Usage: ./toystore " + command + " ", "-h, --help")
          .doesNotContain("%%");
      assertThat(List.of(stdout(command, "-h"), stdout("help", command))).containsOnly(help);
    }
    assertThat(stdout("--version"))
        .isEqualTo(stdout("-V"))
        .matches(format("toystore .+, Java %s\\R", Pattern.quote(Runtime.version().toString())));
  }

  /// `./toystore` prints this file before the first build.
  @Test
  void fileWithTheListOfCommandsIsUpToDate() throws IOException {
    var list =
        ToystoreCommand.commandLine()
            .setUsageHelpAutoWidth(false)
            .getUsageMessage(CommandLine.Help.Ansi.OFF);
    assertThat(JavaCommandLine.projectFolder().resolve("tools/cli/help.txt")).hasContent(list);
  }

  @Test
  void helpOfEachCommandIsInTheReference() throws IOException {
    var line = ToystoreCommand.commandLine();
    for (var command : line.getSubcommands().entrySet()) {
      if (Set.of("help", "generate-completion").contains(command.getKey())) {
        continue;
      }
      var help = command.getValue().setUsageHelpAutoWidth(false);
      GeneratedRegion.check(
          COMMANDS,
          command.getKey(),
          "```\n" + help.getUsageMessage(CommandLine.Help.Ansi.OFF).strip() + "\n```\n");
    }
  }

  @Test
  void examplesOfTheReferenceAreValid() throws IOException {
    var examples =
        Pattern.compile("(?m)^    \\./toystore (.*?)( +#.*)?$")
            .matcher(Files.readString(Project.HOME.resolve(COMMANDS)))
            .results()
            .map(it -> it.group(1))
            .toList();
    assertThat(examples).hasSizeGreaterThan(13);
    for (var example : examples) {
      ToystoreCommand.commandLine().parseArgs(example.split(" "));
    }
  }

  private static String stdout(String... arguments) {
    var out = new StringWriter();
    var line = ToystoreCommand.commandLine().setOut(new PrintWriter(out));
    assertThat(line.execute(arguments)).as(String.join(" ", arguments)).isZero();
    return out.toString();
  }

  @Test
  void storeOnPostgresqlIsNotUsedAsIfItWereInFiles() throws IOException {
    var data = new DataFolder(folder.resolve("data"));
    data.claim().close();
    data.writePostgresql("jdbc:postgresql://db/toys");
    var path = data.path().toString();
    var said = "the store of data folder " + path + " is in jdbc:postgresql://db/toys; ";
    assertRefused(
        "backup " + folder.resolve("to") + " --data " + path,
        said
            + "back up that database with PostgreSQL's own programs: pg_dump, or pg_basebackup with an archive of the WAL; see docs/how-to/postgresql.md");
    assertThat(run("up", "--port", "20300", "--data", path).err())
        .startsWith(said + "start it with --database");
    assertThat(run("move", path, "jdbc:postgresql://db/toys").err())
        .startsWith(said + "start it with ");
  }

  @Test
  void databaseIsRefusedForAStoreOnSqliteThatWasNotMoved() throws IOException {
    var data = folder.resolve("dätä");
    var file = Files.createDirectories(data.resolve("order")).resolve("order.db");
    Files.createFile(data.resolve("up.lock"));
    Files.createFile(file);
    assertRefused(
        "up --port=20300 --no-console --database=jdbc:postgresql://db/toys?password=secret --data="
            + data,
        format(
            "data folder %1$s has a store on SQLite, such as %2$s, whose data --database would not contain; copy it with ./toystore move %1$s URL, or use another data folder",
            data, file));
    assertThat(data.resolve("store-id")).doesNotExist();
  }

  @Test
  void statusNamesTheDatabaseOfEachService() throws IOException {
    var data = new DataFolder(Files.createDirectory(folder.resolve("data")));
    var stdout = System.out;
    var out = new ByteArrayOutputStream();
    try (var _ = data.claim()) {
      new RunState(
              1,
              new StoreLayout(false, 1, true, new PortPlan(20_400), "127.0.0.1"),
              Instant.EPOCH,
              Map.of("catalog-service", "/töys/catalog.db", "order-service", "jdbc:postgresql://d"),
              Map.of())
          .write(data.upProperties());
      System.setOut(new PrintStream(out, true, UTF_8));
      assertThat(run("status", "--data", data.path().toString()).exitCode()).isOne();
    } finally {
      System.setOut(stdout);
    }
    assertThat(out.toString(UTF_8).lines())
        .contains(
            "catalog-service-2   no process, gRPC 21431, management 21421, not ready, data in /töys/catalog.db",
            "order-service       no process, gRPC 21412, management 21402, not ready, data in jdbc:postgresql://d",
            "frontend-service    no process, HTTP 20400, management 20401, not ready");
  }

  @Test
  void invalidOptionPrintsTheReason() {
    assertInvalid("up --prot 1", "unknown option: --prot");
    assertThat(run("up", "--prot=1").err()).startsWith("unknown option: --prot=1\n");
    assertThat(run("up", "--toystore.catalog.line-port").err())
        .startsWith(
            "--toystore.catalog.line-port needs a value, as in --toystore.catalog.line-port=…\n");
    assertInvalid(
        "up --standby",
        "--standby needs --database and one process per service: two processes cannot use one SQLite file");
    assertInvalid("move a b", "TO must be a URL that begins with jdbc:postgresql://; got b");
    assertInvalid("up --frontends 11", "--frontends must be from 1 to 10; got 11");
    assertInvalid(
        "up --frontends 2 --together",
        "--frontends and --together cannot be combined: one process has one frontend");
    assertInvalid("up --port 80", "--port must be from 1025 to 61250; got 80");
    assertInvalid(
        "load --kind=query --requests=0 --clients=1 --url=http://x",
        "--requests must be from 1 to 100000000; got 0");
  }

  @Test
  void upRefusesAnAddressOfAnotherMachine() {
    assertRefused(
        "up --listen 192.0.2.1",
        "--listen must be an IP address of this machine, or 0.0.0.0 for all of them; got 192.0.2.1");
    assertThat(run("up", "--listen", "shop.example").exitCode()).isEqualTo(1);
  }

  @Test
  void upRefusesABusyPortBeforeItCreatesTheDataFolder() throws IOException {
    try (var busy = new ServerSocket(FreePorts.store(), 1, InetAddress.getLoopbackAddress())) {
      var data = folder.resolve("data");
      var port = busy.getLocalPort();
      var said = "port " + port + " is already in use; ";
      assertRefused(
          "up --port=" + port + " --data=" + data,
          said + "frontend-service needs it for HTTP (to use other ports: --port N)");
      assertRefused(
          "up --port=" + (port + 1) + " --data=" + data,
          said
              + "the console needs it (to use other ports: --port N; to start without it: --no-console)");
      assertThat(data).doesNotExist();
    }
  }

  @Test
  void completionScriptCompletesCommandsAndOptions() throws Exception {
    var script = Files.writeString(folder.resolve("completion"), stdout("generate-completion"));
    var bash =
        new ProcessBuilder(
                "bash",
                "-c",
                "source "
                    + script
                    + "; COMP_WORDS=(./toystore load --re); COMP_CWORD=2; _complete_toystore;"
                    + " echo ${COMPREPLY[@]}; COMP_WORDS=(./toystore stat); COMP_CWORD=1;"
                    + " _complete_toystore; echo ${COMPREPLY[@]};"
                    + " COMP_WORDS=(./toystore shop purch); COMP_CWORD=2; _complete_toystore;"
                    + " echo ${COMPREPLY[@]}")
            .redirectError(ProcessBuilder.Redirect.DISCARD) // compopt works in a terminal only
            .start();
    try (var lines = bash.inputReader()) {
      assertThat(lines.lines()).containsExactly("--requests", "status", "purchases");
    }
  }

  @Test
  void freshCannotBeCombinedWithData() {
    var data = folder.resolve("data").toString();
    assertInvalid(
        "up --fresh --data " + data,
        "--fresh and --data cannot be combined: --fresh uses a temporary data folder");
    assertThat(run("up", "--fresh", "--listen", "192.0.2.1").exitCode())
        .as("--fresh is accepted and the address is refused")
        .isEqualTo(1);
  }

  @Test
  void importShowsTheChangesAndThenAppliesThem() throws Exception {
    var catalog = new FakeCatalog();
    var file = Files.writeString(folder.resolve("toys.csv"), "name,price,quantity\nTux,20,80\n");
    var server = catalog.start();
    var port = Integer.toString(server.getPort() - 1011);
    Files.writeString(folder.resolve("admin-token"), "secret\n");
    var data = folder.toString();
    try {
      assertThat(run("import", file.toString(), "--yes", "--port", port, "--data", data))
          .isEqualTo(new Ended(0, ""));
      assertThat(catalog.authorizations).containsOnly("Bearer secret");
      assertThat(catalog.dryRuns).containsExactly(true, false);
      assertThat(catalog.seen)
          .containsExactly(
              List.of(),
              List.of(
                  SeenDifferences.newBuilder()
                      .setName("Tux")
                      .setDifferences("quantity 76 → 100")
                      .build()));
      catalog.failure = "2 invalid lines\nline 2: taken\nline 3: taken";
      assertRefused(
          "import " + file + " --yes --port " + port + " --data " + data,
          file + ", " + catalog.failure);
    } finally {
      server.shutdownNow().awaitTermination();
    }
    assertThat(run("import", file.toString(), "--yes", "--port", port, "--data", data).err())
        .startsWith("cannot reach the catalog: ");
    assertThat(
            run("import", file.toString(), "--yes", "--port", port, "--data", data + "/no").err())
        .startsWith("cannot read the administrator's token: ");
  }

  @Test
  void importReadsStandardInput() throws Exception {
    var catalog = new FakeCatalog();
    var server = catalog.start();
    Files.writeString(folder.resolve("admin-token"), "secret\n");
    var store = " --port " + (server.getPort() - 1011) + " --data " + folder;
    var stdin = System.in;
    try {
      assertInvalid(
          "import -" + store,
          "import - reads the products from standard input; use --yes to confirm");
      System.setIn(
          new ByteArrayInputStream("\uFEFFname,price,quantity\nBär,20,80\n".getBytes(UTF_8)));
      assertThat(run(("import - --yes" + store).split(" "))).isEqualTo(new Ended(0, ""));
      assertThat(catalog.imported).containsExactly("Bär", "Bär");
      catalog.hasChanged = true;
      System.setIn(new ByteArrayInputStream("name,price,quantity\nBär,20,80\n".getBytes(UTF_8)));
      assertRefused(
          "import - --yes" + store, "\"Bär\" has changed; nothing was imported; repeat the import");
    } finally {
      System.setIn(stdin);
      server.shutdownNow().awaitTermination();
    }
  }

  @Test
  void portIsThatOfTheStoreRunningOnTheDataFolder() throws Exception {
    var catalog = new FakeCatalog();
    var file = Files.writeString(folder.resolve("toys.csv"), "name,price,quantity\nTux,20,80\n");
    var data = new DataFolder(Files.createDirectory(folder.resolve("data")));
    var server = catalog.start();
    try (var _ = data.claim()) {
      Files.writeString(data.adminToken(), "secret\n");
      new RunState(
              1,
              new StoreLayout(false, 1, false, new PortPlan(server.getPort() - 1011), "127.0.0.1"),
              Instant.EPOCH,
              Map.of(),
              Map.of())
          .write(data.upProperties());
      assertThat(run("import", file.toString(), "--yes", "--data", data.path().toString()))
          .isEqualTo(new Ended(0, ""));
      assertThat(run("load", "--data", data.path().toString()).err())
          .startsWith(
              format("cannot reach a store at http://127.0.0.1:%d ", server.getPort() - 1011));
    } finally {
      server.shutdownNow().awaitTermination();
    }
    assertThat(run("load", "--kind=update", "--port=20080", "--data", data.path().toString()).err())
        .contains(" at grpc://127.0.0.1:21091");
  }

  @Test
  void urlOfAStoreThatListensElsewhere() {
    assertThat(
            Stream.of("127.0.0.1", "127.0.0.2", "0.0.0.0", "::", "::1", "192.0.2.1", "2001:db8::1")
                .map(listen -> new StoreLayout(false, 1, false, new PortPlan(9000), listen).url()))
        .containsExactly(
            "http://127.0.0.1:9000",
            "http://127.0.0.2:9000",
            "http://127.0.0.1:9000",
            "http://[::1]:9000",
            "http://[::1]:9000",
            "http://192.0.2.1:9000",
            "http://[2001:db8::1]:9000");
  }

  @Test
  void shopNeedsACommandAndATerminalToAskAt() {
    assertInvalid("shop", "no command given");
    assertThat(run("shop", "login", "buyer", "bob"))
        .isEqualTo(new Ended(2, "there is no terminal to ask at; use --password-stdin\n"));
  }

  @Test
  void amountWithACommaIsExplained() {
    for (var arguments :
        List.of(
            List.of("shop", "sell", "Castle", "--category=3", "--price"),
            List.of("exchange", "create", "--balance"),
            List.of("exchange", "order", "7", "buy", "1", "IBM", "--limit"))) {
      for (var amount : List.of("12,50", "1e7", "+5", "5.", ".5")) {
        var all = new ArrayList<>(arguments);
        all.add(amount);
        var ended = run(all.toArray(String[]::new));
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err())
            .contains("expected a number with a decimal point, such as 12.50; got " + amount);
      }
    }
  }

  private static void assertInvalid(String line, String reason) {
    String help = "For its options: ./toystore help " + line.replaceFirst(" .*", "");
    assertThat(run(line.split(" "))).isEqualTo(new Ended(2, reason + "\n" + help + "\n"));
  }

  private static void assertRefused(String line, String reason) {
    assertThat(run(line.split(" "))).isEqualTo(new Ended(1, reason + "\n"));
  }

  private static Ended run(String... arguments) {
    var err = new StringWriter();
    var exitCode = ToystoreCommand.commandLine().setErr(new PrintWriter(err)).execute(arguments);
    return new Ended(exitCode, err.toString());
  }

  /// A fake catalog that reports one product of each import as new.
  private static final class FakeCatalog extends CatalogAdminServiceGrpc.CatalogAdminServiceImplBase
      implements ServerInterceptor {
    final List<String> authorizations = new ArrayList<>();
    final List<Boolean> dryRuns = new ArrayList<>();
    final List<String> imported = new ArrayList<>();
    final List<List<SeenDifferences>> seen = new ArrayList<>();
    volatile boolean hasChanged;
    volatile String failure = "";

    Server start() throws IOException {
      return NettyServerBuilder.forAddress(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
          .addService(this)
          .intercept(this)
          .build()
          .start();
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      authorizations.add(
          String.valueOf(
              headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER))));
      return next.startCall(call, headers);
    }

    @Override
    public void importProducts(
        ImportProductsRequest request, StreamObserver<ImportProductsResponse> answer) {
      if (!failure.isEmpty()) {
        answer.onError(Status.INVALID_ARGUMENT.withDescription(failure).asRuntimeException());
        return;
      }
      dryRuns.add(request.getDryRun());
      seen.add(request.getSeenList());
      if (hasChanged && !request.getDryRun()) {
        answer.onError(
            Status.FAILED_PRECONDITION.withDescription("\"Bär\" has changed").asRuntimeException());
        return;
      }
      imported.add(request.getCsv().split(",|\n")[3]);
      var after = Product.newBuilder().setName(imported.getLast());
      answer.onNext(
          ImportProductsResponse.newBuilder()
              .addChanges(
                  ProductChange.newBuilder().setAfter(after).setDifferences("quantity 76 → 100"))
              .build());
      answer.onCompleted();
    }
  }
}
