package toystore.platform.service;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
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
import sun.misc.Signal;

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
      supervise(spring(application, name, settings).run(named(name, List.of(args))));
    } catch (RuntimeException e) {
      refuse(e);
    }
  }

  /// Starts a service beside others in this JVM, which ends it.
  ///
  /// @param web whether it opens its HTTP ports
  /// @param more such as one that names a parent context, [#startShared]
  public static ConfigurableApplicationContext startBeside(
      Class<?> application,
      String name,
      Class<? extends Record> settings,
      List<String> args,
      boolean web,
      ApplicationContextInitializer<?>... more) {
    SpringApplication spring = spring(application, name, settings);
    spring.addInitializers(more);
    spring.setRegisterShutdownHook(false);
    if (!web) {
      spring.setWebApplicationType(WebApplicationType.NONE);
    }
    return spring.run(named(name, args));
  }

  /// Starts what the services of this JVM share: the parent of their contexts.
  public static ConfigurableApplicationContext startShared(
      Class<?> configuration, List<String> args) {
    SpringApplication spring = new SpringApplication(configuration);
    spring.setRegisterShutdownHook(false);
    spring.setWebApplicationType(WebApplicationType.NONE);
    spring.setDefaultProperties(DEFAULTS);
    return spring.run(named("shared", args));
  }

  private static SpringApplication spring(
      Class<?> application, String name, Class<? extends Record> settings) {
    var service = ServiceDescriptor.of(name);
    SpringApplication spring = new SpringApplication(application, ServiceConfiguration.class);
    spring.addInitializers(context -> describe(service, context));
    spring.setDefaultProperties(defaults(service));
    var unknown = new UnknownSettings(service, settings(service, settings));
    spring.addListeners(
        (ApplicationListener<ApplicationEnvironmentPreparedEvent>)
            event ->
                unknown
                    .check(event.getEnvironment())
                    .forEach(it -> log.warn("unknown environment variable {} ignored", it)));
    return spring;
  }

  /// The records of all settings that a service may be given; those that name no prefix have the
  /// service's own.
  public static List<Class<? extends Record>> settings(
      ServiceDescriptor service, Class<? extends Record> own) {
    var settings = new ArrayList<Class<? extends Record>>();
    settings.addAll(List.of(StoreSettings.class, CallSettings.class, ServerSettings.class));
    if (service.database()) {
      settings.add(DatabaseSettings.class);
    }
    settings.add(own);
    return settings;
  }

  /// Makes a service's descriptor and where it answers known to its beans, before there are any.
  private static void describe(ServiceDescriptor service, ConfigurableApplicationContext context) {
    var beans = context.getBeanFactory();
    beans.registerSingleton("serviceDescriptor", service);
    beans.registerSingleton("serverSettings", ServerSettings.of(service, context.getEnvironment()));
  }

  private static Properties defaults(ServiceDescriptor service) {
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
    log.error("startup failed", failure);
    System.err.println(reason(failure));
    System.err.flush();
    Runtime.getRuntime().halt(ExitCode.START_REFUSED);
  }

  /// Ends the process because a sync of the disk failed or its file was found damaged.
  public static void diskFailed(Throwable failure) {
    log.error("disk failure, the process ends", failure);
    System.err.println(
        "disk failure, the service stops and is not restarted: " + failure.getMessage());
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
          return "port " + busy.getPort() + " is in use";
        }
        case BindException unbound -> {
          if (!(NestedExceptionUtils.getMostSpecificCause(unbound) instanceof StartupException)) {
            return unbound(unbound);
          }
        }
        default -> {}
      }
      last = cause;
    }
    return "startup failed: " + last;
  }

  private static String unbound(BindException failure) {
    var property = failure.getProperty();
    String type = String.valueOf(failure.getTarget().getType());
    return property == null
        ? "setting " + failure.getName() + " must be " + type
        : "setting %s must be %s, got \"%s\""
            .formatted(property.getName(), type, property.getValue());
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
