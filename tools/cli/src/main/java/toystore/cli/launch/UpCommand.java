package toystore.cli.launch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;
import toystore.cli.command.CommandRefusal;
import toystore.cli.command.ShutdownHook;
import toystore.cli.command.YesOption;

/// `./toystore up`: starts the store and stays in the foreground until it is stopped.
@Command(
    name = "up",
    description = "Start the store and stay in the foreground; Ctrl-C stops it.",
    footer = {
      "",
      "Settings of the services can be added as --toystore.…=…, --spring.…=…,",
      "--server.…=…, --management.…=… or --logging.…=…; they are passed to every service unchanged."
    })
public final class UpCommand implements Callable<Integer> {
  private static final Pattern SETTING =
      Pattern.compile("--(?:toystore|spring|server|logging|management)\\.[^=]+(=.*)?");

  @Option(
      names = "--together",
      description = "Run all services in one JVM instead of one process each.")
  private boolean together;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "The frontend's port (default 8080); all other ports shift by the same amount.")
  private int port = PortPlan.DEFAULT;

  @Option(
      names = "--frontends",
      paramLabel = "N",
      description =
          "Number of frontends, 1 to 10 (default 1): the first on --port, each further one two ports"
              + " higher, its management port after it. Not with --together.")
  private int frontends = 1;

  @Mixin private final DataOption data = new DataOption();

  @Option(
      names = "--catalog",
      paramLabel = "FILE",
      description =
          "CSV file with the initial products: name,price,quantity[,category,max_volume]. Read on the"
              + " first start only.")
  private @Nullable Path catalog;

  @Option(
      names = "--database",
      paramLabel = "URL",
      description =
          "Keep the data of all services in PostgreSQL, a schema for each:"
              + " jdbc:postgresql://HOST:PORT/DATABASE. Set TOYSTORE_DATABASE_USER and"
              + " TOYSTORE_DATABASE_PASSWORD, or each with _FILE to a file.")
  private @Nullable String database;

  @Option(
      names = "--standby",
      description =
          "Start a second process of each service with a database, which takes over when the first"
              + " ends. Only with --database, not with --together.")
  private boolean standby;

  @Option(
      names = "--listen",
      paramLabel = "ADDR",
      description = "The IP address on which the frontend listens (default 127.0.0.1).")
  private String listen = StoreLayout.LOOPBACK;

  @Option(
      names = "--fresh",
      description = "Use a temporary data folder and remove it when the store stops.")
  private boolean fresh;

  @Option(
      names = "--no-console",
      description =
          "Serve no console: the page to watch the store, send load and inject faults (port N - 1).")
  private boolean withoutConsole;

  @Mixin private final YesOption yes = new YesOption();
  @Unmatched private final List<String> others = new ArrayList<>();
  private @Nullable BiFunction<StorePlan, DataFolder, ConsolePage> console;

  /// Sets the console, which itself uses this package.
  public void setConsole(BiFunction<StorePlan, DataFolder, ConsolePage> console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (fresh && data.isGiven()) {
      throw CommandRefusal.usage(
          "--fresh and --data cannot be combined: --fresh uses a temporary data folder");
    }
    CommandRefusal.requireRange("--frontends", frontends, 1, PortPlan.MAX_FRONTENDS);
    if (together && frontends > 1) {
      throw CommandRefusal.usage(
          "--frontends and --together cannot be combined: one process has one frontend");
    }
    if (standby && (database == null || together)) {
      throw CommandRefusal.usage(
          "--standby needs --database and one process per service: two processes cannot use one SQLite file");
    }
    var layout = new StoreLayout(together, frontends, standby, new PortPlan(port), listen);
    others.forEach(UpCommand::requireSetting);
    InetAddress address = address(listen);
    Path catalogFile = catalog == null ? null : readable(catalog);
    // created only after all checks: a refused start leaves no files behind
    DataFolder folder =
        fresh
            ? DataOption.folder(
                Path.of(System.getProperty("java.io.tmpdir"), "toystore-" + UUID.randomUUID()))
            : data.folder();
    var plan =
        new StorePlan(Services.ofProject(), layout, database, folder.path(), catalogFile, others);
    folder.requireNotInUse(); // before the ports, which another up on this folder uses
    StoppedProcesses.end(StoppedProcesses.inTheWayOf(plan), yes);
    plan.busyPort(address)
        .ifPresent(line -> {
          throw new CommandRefusal(line);
        });
    if (!withoutConsole && !PortPlan.isFree(StoreLayout.loopback(), layout.ports().console())) {
      throw new CommandRefusal(
          "port %d is already in use; the console needs it (to use other ports: --port N; to start without it: --no-console)",
          layout.ports().console());
    }
    try (FileChannel _ = folder.claim()) {
      if (database == null) {
        folder.requireSqlite(
            "start it with --database and this URL, or move it to a new data folder with ./toystore move");
      } else if (!isStoreIn(database, folder, plan.services())) {
        return 1;
      }
      folder.createStoreId();
      plan.outgoingPorts(PortPlan.OUTGOING).ifPresent(System.err::println);
      return run(folder, plan, address);
    }
  }

  /// Whether the database is that of the folder's store, or may become it.
  ///
  /// @return false: the program that compares the identities has printed why it is not
  private static boolean isStoreIn(String database, DataFolder folder, Services services)
      throws IOException, InterruptedException {
    Optional<String> remembered = folder.postgresqlUrl();
    if (remembered.isEmpty()) {
      folder.requireNoSqlite(services.databases());
    }
    if (remembered.isEmpty() || remembered.get().equals(database)) {
      return true;
    }
    List<String> command =
        JavaCommandLine.ofStore(
            "toystore.store.StoreLocation", folder.path().toString(), remembered.get(), database);
    return ShutdownHook.waitFor(new ProcessBuilder(command).inheritIO().start()) == 0;
  }

  /// The services check the setting itself.
  private static void requireSetting(String argument) {
    Matcher setting = SETTING.matcher(argument);
    if (!setting.matches()) {
      throw CommandRefusal.usage(
          (argument.startsWith("-") ? "unknown option: " : "unknown argument: ") + argument);
    }
    if (setting.group(1) == null) {
      throw CommandRefusal.usage("%s needs a value, as in %s=…", argument, argument);
    }
  }

  private int run(DataFolder folder, StorePlan plan, InetAddress address) throws IOException {
    var jvms = new JavaCommandLine(JavaCommandLine.projectFolder(), List.of());
    var training = new BackgroundTraining(jvms.home());
    ConsolePage page = console == null || withoutConsole ? null : console.apply(plan, folder);
    var supervisor =
        new Supervisor(
            plan.parts(),
            part -> process(jvms, part, folder),
            LauncherTimeouts.USUAL,
            new UpReport(folder, plan, address, training, page));
    Runnable stop =
        () -> {
          if (page != null) {
            page.close(); // a process that it has stopped could not end
          }
          supervisor.stop();
        };
    try (var signal = ShutdownHook.toEndWell(stop);
        training;
        page) {
      try {
        folder.makeFolders();
        return supervisor.run();
      } finally {
        Files.deleteIfExists(folder.upProperties());
        if (fresh) {
          folder.remove();
        }
      }
    }
  }

  /// The stdout of a JVM (such as a requested thread dump) is written to a file beside its log.
  private static ProcessBuilder process(JavaCommandLine jvms, ProcessSpec part, DataFolder folder) {
    Path stdout = folder.path().resolve("log").resolve(part.name() + ".out");
    return jvms.process(part, folder.path())
        .redirectOutput(ProcessBuilder.Redirect.appendTo(stdout.toFile()));
  }

  /// Parses a literal IP address; host names are refused, so that no DNS lookup is needed.
  private static InetAddress address(String listen) throws SocketException {
    try {
      var address = InetAddress.ofLiteral(listen);
      if (address.isAnyLocalAddress() || NetworkInterface.getByInetAddress(address) != null) {
        return address;
      }
    } catch (IllegalArgumentException noNumber) {
      // told below
    }
    throw new CommandRefusal(
        "--listen must be an IP address of this machine, or 0.0.0.0 for all of them; got "
            + listen);
  }

  private static Path readable(Path file) {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new CommandRefusal("--catalog must be a file that can be read; got " + file);
    }
    return file.toAbsolutePath().normalize();
  }
}
