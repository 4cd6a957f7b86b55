package toystore.service;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import sun.misc.Signal;
import toystore.service.watch.Meters;
import toystore.service.watch.TraceIds;
import toystore.service.watch.WatchConfiguration;

/// A service as a process: its `main` is one line that calls [#run].
public final class ServiceProcess {
  private static final Logger log = LoggerFactory.getLogger(ServiceProcess.class);

  private static final Properties DEFAULTS = defaults("/every-service.properties");

  private ServiceProcess() {}

  /// Starts a service and, if a launcher supervises it, ends with the launcher. Where it cannot
  /// start it says why in one line on standard error and ends with [ExitCode#START_REFUSED].
  ///
  /// @param name what its settings file is called, such as `catalog-service`
  /// @param settings its settings record
  public static void run(
      Class<?> application, String name, Class<? extends Record> settings, String[] args) {
    try {
      supervise(spring(application, name, settings, new Meters()).run(named(name, List.of(args))));
    } catch (RuntimeException e) {
      refuse(e);
    }
  }

  /// Starts a service beside others in this JVM, which ends it.
  ///
  /// @param web whether it opens its HTTP ports
  /// @param meters what the JVM's services share
  public static ConfigurableApplicationContext startBeside(
      Class<?> application,
      String name,
      Class<? extends Record> settings,
      List<String> args,
      boolean web,
      Meters meters) {
    SpringApplication spring = spring(application, name, settings, meters);
    spring.setRegisterShutdownHook(false);
    if (!web) {
      spring.setWebApplicationType(WebApplicationType.NONE);
    }
    return spring.run(named(name, args));
  }

  private static SpringApplication spring(
      Class<?> application, String name, Class<? extends Record> settings, Meters meters) {
    var spring = new SpringApplication(application, WatchConfiguration.class);
    spring.addInitializers(meters::addTo);
    spring.setDefaultProperties(DEFAULTS);
    TraceIds.install();
    spring.setBannerMode(Banner.Mode.OFF);
    spring.setLogStartupInfo(false);
    var unknown = new UnknownSettings(List.of(StoreSettings.class, CallSettings.class, settings));
    spring.addListeners(
        (ApplicationListener<ApplicationEnvironmentPreparedEvent>)
            event -> warn(unknown.check(event.getEnvironment())));
    return spring;
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

  private static void warn(List<String> variables) {
    variables.forEach(it -> log.warn("unknown environment variable {} ignored", it));
  }

  /// Jars that live on one class path must not read each other's `application.properties`.
  private static String[] named(String name, List<String> args) {
    return Stream.concat(args.stream(), Stream.of("--spring.config.name=" + name))
        .toArray(String[]::new);
  }

  /// Ends the process with its launcher, where there is one: when the pipe on standard input
  /// closes. An interrupt from the keyboard reaches launcher and services alike; the launcher then
  /// stops them in order.
  public static void supervise(ConfigurableApplicationContext context) {
    if (context.getBean(StoreSettings.class).supervised()) {
      Signal.handle(new Signal("INT"), _ -> {});
      Thread.ofPlatform().daemon().name("launcher-watch").start(ServiceProcess::endWithLauncher);
    }
  }

  /// Says in one line why the process does not start, and ends it.
  public static void refuse(RuntimeException failure) {
    log.error("not started", failure);
    System.err.println(reason(failure));
    System.err.flush();
    Runtime.getRuntime().halt(ExitCode.START_REFUSED);
  }

  /// Ends the process because a sync of the disk failed or its file was found damaged.
  public static void diskFailed(Throwable failure) {
    log.error("the disk failed", failure);
    System.err.println("the disk failed, not started again: " + failure.getMessage());
    System.err.flush();
    Runtime.getRuntime().halt(ExitCode.DISK_FAILED);
  }

  static String reason(Throwable failure) {
    Throwable last = failure;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      switch (cause) {
        case StartRefused refused -> {
          return String.valueOf(refused.getMessage());
        }
        case PortInUseException busy -> {
          return "port " + busy.getPort() + " is in use";
        }
        case BindException unbound -> {
          if (!(rootOf(unbound) instanceof StartRefused)) {
            return unbound(unbound);
          }
        }
        default -> {}
      }
      last = cause;
    }
    return "not started: " + last;
  }

  private static String unbound(BindException failure) {
    var property = failure.getProperty();
    String type = String.valueOf(failure.getTarget().getType());
    return property == null
        ? "setting " + failure.getName() + " must be " + type
        : "setting %s must be %s, got \"%s\""
            .formatted(property.getName(), type, property.getValue());
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  private static void endWithLauncher() {
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
