package toystore.platform.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static toystore.common.RootLocale.format;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.Environment;
import org.springframework.core.env.EnvironmentCapable;
import org.springframework.core.io.support.PropertiesLoaderUtils;
import toystore.platform.service.StoreServiceDescriptor.Protocol;
import toystore.platform.storage.TakenOverException;
import toystore.platform.storage.UnusableFileException;

/// Runs a service as a process. The `main` method of a service is one line that calls [#run].
public final class ServiceProcess {
  private static final Logger log = LoggerFactory.getLogger(ServiceProcess.class);

  private static final String DEFAULTS = "every-service";
  private static final String WATCH = "launcher-watch";

  /// Settings that are no arguments, and what to use instead.
  private static final Map<String, String> SECRETS =
      Map.of(
          "toystoreadmintoken",
          "TOYSTORE_ADMIN_TOKEN, or toystore.admin-token-file to a file with the token",
          "toystoredatabasepassword",
          "TOYSTORE_DATABASE_PASSWORD, or toystore.database-password-file to a file with the password");

  private ServiceProcess() {}

  /// Starts a service. If a launcher supervises it, the process ends with the launcher. If startup
  /// fails, prints the reason in one line on standard error and exits with
  /// [ExitCode#START_REFUSED], or with [ExitCode#TAKEN_OVER] if it lost its database.
  ///
  /// @param name name of the settings file, such as `catalog-service`
  /// @param settings settings record of the service
  public static void run(
      Class<?> application, String name, Class<? extends Record> settings, String[] args) {
    try {
      refuseSecrets(args);
      SpringApplication spring = spring(application, name, settings);
      if (spring.getWebApplicationType() == WebApplicationType.NONE) {
        spring.addPrimarySources(List.of(MetricsServer.class));
      }
      spring.addListeners(
          (ApplicationListener<ApplicationStartedEvent>)
              it -> supervise(List.of(it.getApplicationContext()), it.getApplicationContext()));
      spring.run(withConfigName(name, List.of(args)));
    } catch (RuntimeException e) {
      if (stops()) { // the cause: Spring has interrupted this thread, or has closed its context
        log.info("stopped before it had started: {}", reason(e));
      } else {
        exitWithStartupFailure(e);
      }
    }
  }

  /// Whether the process was told to end, by SIGTERM for example.
  private static boolean stops() {
    try {
      Runtime.getRuntime().removeShutdownHook(new Thread()); // refused during a shutdown
      return false;
    } catch (IllegalStateException shutdown) {
      return true;
    }
  }

  /// @throws StartupException without the secret
  public static void refuseSecrets(String... args) {
    for (String argument : args) {
      String key = argument.split("=", 2)[0];
      SECRETS.forEach((setting, instead) -> {
        if (key.replaceAll("[-_.]", "").equalsIgnoreCase(setting)) {
          throw new StartupException(
              format(
                  "setting %s cannot be given on the command line, which every user of this machine can read; set %s",
                  key.replaceFirst("^-+", ""), instead));
        }
      });
    }
  }

  /// Starts a service in a JVM that it shares with others. The caller ends the JVM.
  ///
  /// @param initializers for example one that sets the parent context, see [#startShared]
  public static ConfigurableApplicationContext startBeside(
      Class<?> application,
      String name,
      Class<? extends Record> settings,
      List<String> args,
      ApplicationContextInitializer<?>... initializers) {
    SpringApplication spring = spring(application, name, settings);
    spring.addInitializers(initializers);
    spring.setRegisterShutdownHook(false);
    return spring.run(withConfigName(name, args));
  }

  /// Starts the parent context of the services in this JVM.
  public static ConfigurableApplicationContext startShared(
      Class<?> configuration, List<String> args) {
    SpringApplication spring = new SpringApplication(configuration);
    spring.setRegisterShutdownHook(false);
    spring.setWebApplicationType(WebApplicationType.NONE);
    return spring.run(withConfigName("shared", args));
  }

  private static SpringApplication spring(
      Class<?> application, String name, Class<? extends Record> settings) {
    var service = StoreServiceDescriptor.of(name);
    var unknown = new UnknownSettings(service, settings(service, settings));
    SpringApplication spring = new SpringApplication(application, ServiceConfiguration.class);
    spring.addInitializers(context -> registerBeans(service, context));
    if (service.protocol() == Protocol.GRPC) {
      // the frontend's web server may be on its class path
      spring.setWebApplicationType(WebApplicationType.NONE);
    }
    var defaults = new HashMap<String, Object>(ServerSettings.defaults(service));
    defaults.put("spring.application.name", service.program());
    if (service.database()) { // see PeerChannel
      defaults.put("spring.grpc.server.health.service.storage.include", "storage");
    }
    spring.setDefaultProperties(defaults);
    spring.addListeners(
        (ApplicationListener<ApplicationEnvironmentPreparedEvent>)
            event -> {
              LogFailureListener.install();
              LogRateLimit.install();
              log.info("{}", describe(service, event.getEnvironment()));
              unknown
                  .check(event.getEnvironment())
                  .forEach(it -> log.warn("unknown environment variable {} ignored", it));
            },
        new ReadyLog());
    return spring;
  }

  /// The first line of a log: version, data and ports. Parameters of a URL may be secrets.
  static String describe(StoreServiceDescriptor service, Environment environment) {
    String own = service.prefix() + ".";
    var text = new StringJoiner(", ").add(service.program() + " " + version());
    if (service.database()) {
      String file = String.join("/", service.name(), service.name() + ".db");
      Path data = Path.of(environment.getProperty("toystore.data", "data")).toAbsolutePath();
      String place = environment.getProperty(DatabaseSettings.URL, data.resolve(file).toString());
      text.add("data in " + place.replaceFirst("[?].*", "").replaceFirst("//.*@", "//"));
    }
    text.add(service.protocol() + " port " + environment.getProperty(own + "port"));
    service
        .furtherPorts()
        .forEach((name, usual) -> {
          String port = environment.getProperty(own + name + "-port", Integer.toString(usual));
          text.add(name + " port " + port);
        });
    return text.add("management port " + environment.getProperty(own + "management-port"))
        .toString();
  }

  private static String version() {
    try {
      return PropertiesLoaderUtils.loadAllProperties("META-INF/build-info.properties")
          .getProperty("build.version", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class ReadyLog implements ApplicationListener<ApplicationReadyEvent> {
    @Override
    public void onApplicationEvent(ApplicationReadyEvent ready) {
      Duration time = ready.getTimeTaken();
      log.info("ready in {} s", format("%.1f", time == null ? 0 : time.toMillis() / 1e3));
    }
  }

  /// All settings records of a service. Records without a prefix use the prefix of the service.
  public static List<Class<? extends Record>> settings(
      StoreServiceDescriptor service, Class<? extends Record> own) {
    var settings = new ArrayList<Class<? extends Record>>();
    settings.addAll(
        List.of(
            SharedSettings.class,
            DatabaseCredentials.class,
            StoreIdSetting.class,
            DatabaseSettings.class));
    settings.addAll(ServerSettings.records(service));
    settings.add(own);
    return settings;
  }

  /// Registers the descriptor and the server settings as beans before other beans are created.
  private static void registerBeans(
      StoreServiceDescriptor service, ConfigurableApplicationContext context) {
    var beans = context.getBeanFactory();
    beans.registerSingleton("serviceDescriptor", service);
    beans.registerSingleton("serverSettings", ServerSettings.of(service, context.getEnvironment()));
  }

  /// Sets the names of the settings files, because jars on one class path must not read each
  /// other's `application.properties`. The file of the service overrides that of every service.
  private static String[] withConfigName(String name, List<String> args) {
    return Stream.concat(args.stream(), Stream.of("--spring.config.name=" + DEFAULTS + "," + name))
        .toArray(String[]::new);
  }

  /// Ends the process when its launcher ends, that is, when the pipe on standard input closes; does
  /// what the launcher writes into it until then. Ctrl-C reaches the launcher and the services; the
  /// launcher starts services so that they ignore it, and stops them in order.
  ///
  /// @param services those that have started
  /// @param settings has the settings of the process
  public static void supervise(
      List<ConfigurableApplicationContext> services, EnvironmentCapable settings) {
    if (settings.getEnvironment().getProperty("toystore.supervised", Boolean.class, false)) {
      Thread.ofPlatform().daemon().name(WATCH).start(() -> obeyLauncher(services));
    }
  }

  public static void exitWithStartupFailure(RuntimeException failure) {
    log.error("startup failed", failure);
    System.err.println(reason(failure));
    System.err.flush();
    Runtime.getRuntime().halt(exitCode(failure));
  }

  /// A process that lost its database after the election is started again, and waits for it.
  static int exitCode(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
            .anyMatch(it -> it instanceof UnusableFileException e && e.mayPass())
        ? ExitCode.TAKEN_OVER
        : ExitCode.START_REFUSED;
  }

  /// Ends the process because its state may differ from the database: an fsync failed, the database
  /// is damaged, or another process has taken it over, or may have.
  public static void exitAfterFatalError(Throwable failure) {
    boolean takenOver = failure instanceof TakenOverException;
    log.error("fatal error of the database; the service stops", failure);
    System.err.println(
        (takenOver
                ? "the service stops and may be restarted: "
                : "disk failure; the service stops and is not restarted: ")
            + failure.getMessage());
    System.err.flush();
    Runtime.getRuntime().halt(takenOver ? ExitCode.TAKEN_OVER : ExitCode.DISK_FAILED);
  }

  static String reason(Throwable failure) {
    Throwable last = failure;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      switch (cause) {
        case StartupException refused -> {
          return String.valueOf(refused.getMessage());
        }
        case PortInUseException busy -> {
          return "port " + busy.getPort() + " is already in use; choose another port";
        }
        case BindException failed -> {
          switch (NestedExceptionUtils.getMostSpecificCause(failed)) {
            case StartupException _ -> {} // follows
            case InvalidPathException path -> {
              return invalidPath(failed, path);
            }
            default -> {
              return bindFailure(failed);
            }
          }
        }
        default -> {}
      }
      last = cause;
    }
    return ("startup failed: " + last).replaceAll("\\R\\s*", " | ");
  }

  /// Linux allows every name; Java only those in the charset of the locale.
  private static String invalidPath(BindException failure, InvalidPathException path) {
    return "setting "
        + failure.getName()
        + " must be a path in the locale's charset, "
        + System.getProperty("sun.jnu.encoding")
        + "; got \""
        + path.getInput()
        + "\"; set LC_ALL=C.UTF-8 if it has other characters";
  }

  private static String bindFailure(BindException failure) {
    var property = failure.getProperty();
    String type = String.valueOf(failure.getTarget().getType());
    return property == null
        ? "setting " + failure.getName() + " must be " + type
        : format(
            "setting %s must be %s, got \"%s\"", property.getName(), type, property.getValue());
  }

  private static void obeyLauncher(List<ConfigurableApplicationContext> services) {
    try (var lines = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        obey(services, line);
      }
    } catch (IOException e) {
      log.debug("standard input failed", e);
    }
    System.exit(0);
  }

  /// Injects a fault: `cut PEER` loses all calls to a service, `restore PEER` ends that.
  private static void obey(List<ConfigurableApplicationContext> services, String line) {
    log.warn("the launcher injects a fault: {}", line);
    try {
      for (ConfigurableApplicationContext service : services) {
        for (PeerChannel peer : service.getBeansOfType(PeerChannel.class).values()) {
          if (line.equals("cut " + peer.peer())) {
            peer.cut();
          } else if (line.equals("restore " + peer.peer())) {
            peer.restore();
          }
        }
      }
    } catch (IOException | RuntimeException e) {
      log.warn("the fault cannot be injected", e);
    }
  }
}
