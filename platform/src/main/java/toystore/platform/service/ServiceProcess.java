package toystore.platform.service;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.NestedExceptionUtils;

/// Runs a service as a process. The `main` method of a service is one line that calls [#run].
public final class ServiceProcess {
  private static final Logger log = LoggerFactory.getLogger(ServiceProcess.class);

  private static final Properties DEFAULTS = defaults("/every-service.properties");

  private ServiceProcess() {}

  /// Starts a service. If a launcher supervises it, the process ends with the launcher. If startup
  /// fails, prints the reason in one line on standard error and exits with
  /// [ExitCode#START_REFUSED].
  ///
  /// @param name name of the settings file, such as `catalog-service`
  /// @param settings settings record of the service
  public static void run(
      Class<?> application, String name, Class<? extends Record> settings, String[] args) {
    try {
      refuseToken(args);
      supervise(spring(application, name, settings).run(withConfigName(name, List.of(args))));
    } catch (SpringApplication.AbandonedRunException e) {
      throw e; // the build generates code from the bean definitions and starts nothing
    } catch (RuntimeException e) {
      exitWithStartupFailure(e);
    }
  }

  /// Refuses the administrator's token as an argument of a process.
  ///
  /// @throws StartupException without the token
  public static void refuseToken(String... args) {
    for (String argument : args) {
      String key = argument.split("=", 2)[0];
      if (key.replaceAll("[-_.]", "").equalsIgnoreCase("toystoreadmintoken")) {
        throw new StartupException(
            String.format(
                Locale.ROOT,
                "setting %s cannot be given on the command line, which every user of this machine can read; set TOYSTORE_ADMIN_TOKEN, or toystore.admin-token-file to a file with the token",
                key.replaceFirst("^-+", "")));
      }
    }
  }

  /// Starts a service in a JVM that it shares with others. The caller ends the JVM.
  ///
  /// @param web whether to open its HTTP ports
  /// @param initializers for example one that sets the parent context, see [#startShared]
  public static ConfigurableApplicationContext startBeside(
      Class<?> application,
      String name,
      Class<? extends Record> settings,
      List<String> args,
      boolean web,
      ApplicationContextInitializer<?>... initializers) {
    SpringApplication spring = spring(application, name, settings);
    spring.addInitializers(initializers);
    spring.setRegisterShutdownHook(false);
    if (!web) {
      spring.setWebApplicationType(WebApplicationType.NONE);
    }
    return spring.run(withConfigName(name, args));
  }

  /// Starts the parent context of the services in this JVM. It has the beans that they share.
  public static ConfigurableApplicationContext startShared(
      Class<?> configuration, List<String> args) {
    SpringApplication spring = new SpringApplication(configuration);
    spring.setRegisterShutdownHook(false);
    spring.setWebApplicationType(WebApplicationType.NONE);
    spring.setDefaultProperties(DEFAULTS);
    return spring.run(withConfigName("shared", args));
  }

  private static SpringApplication spring(
      Class<?> application, String name, Class<? extends Record> settings) {
    var service = StoreServiceDescriptor.of(name);
    SpringApplication spring = new SpringApplication(application, ServiceConfiguration.class);
    spring.addInitializers(context -> registerBeans(service, context));
    spring.setDefaultProperties(defaults(service));
    var unknown = new UnknownSettings(service, settings(service, settings));
    spring.addListeners(
        (ApplicationListener<ApplicationEnvironmentPreparedEvent>)
            event -> {
              LogFailureListener.install();
              LogRateLimit.install();
              GeneratedBeans.check(event.getEnvironment());
              unknown
                  .check(event.getEnvironment())
                  .forEach(it -> log.warn("unknown environment variable {} ignored", it));
            });
    return spring;
  }

  /// All settings records of a service. Records without a prefix use the prefix of the service.
  public static List<Class<? extends Record>> settings(
      StoreServiceDescriptor service, Class<? extends Record> own) {
    var settings = new ArrayList<Class<? extends Record>>();
    settings.addAll(List.of(SharedSettings.class, CallSettings.class, ServerSettings.class));
    if (service.database()) {
      settings.add(DatabaseSettings.class);
    }
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

  private static Properties defaults(StoreServiceDescriptor service) {
    var defaults = new Properties();
    defaults.putAll(DEFAULTS);
    defaults.putAll(ServerSettings.defaults(service));
    defaults.put("spring.application.name", service.program());
    return defaults;
  }

  private static Properties defaults(String file) {
    try (InputStream text = ServiceProcess.class.getResourceAsStream(file)) {
      var defaults = new Properties();
      defaults.load(text);
      return defaults;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Sets the name of the settings file, because jars on one class path must not read each other's
  /// `application.properties`.
  private static String[] withConfigName(String name, List<String> args) {
    return Stream.concat(args.stream(), Stream.of("--spring.config.name=" + name))
        .toArray(String[]::new);
  }

  /// Ends the process when its launcher ends, that is, when the pipe on standard input closes.
  /// Ctrl-C reaches the launcher and the services; the launcher starts services so that they ignore
  /// it, and stops them in order.
  public static void supervise(ConfigurableApplicationContext context) {
    if (context.getBean(SharedSettings.class).supervised()) {
      Thread.ofPlatform().daemon().name("launcher-watch").start(ServiceProcess::exitWithLauncher);
    }
  }

  /// Prints in one line why the process does not start, and ends the process.
  public static void exitWithStartupFailure(RuntimeException failure) {
    log.error("startup failed", failure);
    System.err.println(reason(failure));
    System.err.flush();
    Runtime.getRuntime().halt(ExitCode.START_REFUSED);
  }

  /// Ends the process because an fsync failed or the database file is damaged.
  public static void exitAfterDiskFailure(Throwable failure) {
    log.error("disk failure; the service stops", failure);
    System.err.println(
        "disk failure; the service stops and is not restarted: " + failure.getMessage());
    System.err.flush();
    Runtime.getRuntime().halt(ExitCode.DISK_FAILED);
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
        : String.format(
            Locale.ROOT,
            "setting %s must be %s, got \"%s\"",
            property.getName(),
            type,
            property.getValue());
  }

  private static void exitWithLauncher() {
    try {
      while (System.in.read() >= 0) {
        // the launcher says nothing; only the end counts
      }
    } catch (IOException e) {
      log.debug("standard input failed", e);
    }
    System.exit(0);
  }
}
