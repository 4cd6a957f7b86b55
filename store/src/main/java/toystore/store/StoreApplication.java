package toystore.store;

import static toystore.common.RootLocale.format;

import io.grpc.inprocess.InProcessServerBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.builder.ParentContextApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import toystore.account.AccountApplication;
import toystore.catalog.CatalogApplication;
import toystore.exchange.ExchangeApplication;
import toystore.frontend.FrontendApplication;
import toystore.order.OrderApplication;
import toystore.payment.PaymentApplication;
import toystore.platform.service.ServiceProcess;
import toystore.platform.service.StoreServiceDescriptor;
import toystore.platform.service.StoreServiceDescriptor.Protocol;
import toystore.platform.telemetry.SharedMeterRegistryConfiguration;

/// Starts all services in one JVM. It runs the same code as the separate services; only the gRPC
/// targets differ. The gRPC ports are open, for tools such as grpcurl. Only the management port of
/// the frontend is open, and it exposes the metrics of all services.
public final class StoreApplication implements AutoCloseable {
  private static final List<Program> PROGRAMS =
      List.of(
          new Program(
              CatalogApplication.class, CatalogApplication.NAME, CatalogApplication.SETTINGS),
          new Program(
              AccountApplication.class, AccountApplication.NAME, AccountApplication.SETTINGS),
          new Program(
              PaymentApplication.class, PaymentApplication.NAME, PaymentApplication.SETTINGS),
          new Program(
              ExchangeApplication.class, ExchangeApplication.NAME, ExchangeApplication.SETTINGS),
          new Program(OrderApplication.class, OrderApplication.NAME, OrderApplication.SETTINGS),
          new Program(
              FrontendApplication.class, FrontendApplication.NAME, FrontendApplication.SETTINGS));

  private final List<ConfigurableApplicationContext> services = new CopyOnWriteArrayList<>();
  private final ConfigurableApplicationContext shared;

  private record Program(Class<?> application, String name, Class<? extends Record> settings) {}

  private StoreApplication(ConfigurableApplicationContext shared) {
    this.shared = shared;
  }

  public static void main(String[] args) {
    try {
      ServiceProcess.refuseSecrets(args);
      StoreApplication store = start(args);
      Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(store::close));
    } catch (RuntimeException e) {
      ServiceProcess.exitWithStartupFailure(e);
    }
  }

  /// Starts the services. Each starts after the services that it calls.
  public static StoreApplication start(String... args) {
    var store =
        new StoreApplication(
            ServiceProcess.startShared(SharedMeterRegistryConfiguration.class, List.of(args)));
    ServiceProcess.supervise(store.services, store.shared);
    var inProcess = new HashMap<String, String>();
    try {
      for (StoreServiceDescriptor service : descriptors()) {
        inProcess.put(service.name(), InProcessServerBuilder.generateName());
        store.start(service, withArgs(args, inProcess, service));
      }
      return store;
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /// The services of the store. Each comes after the services that it calls.
  public static List<StoreServiceDescriptor> descriptors() {
    return StoreServiceDescriptor.peersFirst(
        PROGRAMS.stream().map(Program::name).map(StoreServiceDescriptor::of).toList());
  }

  /// Returns the port in a property of the frontend, such as `local.server.port`.
  public int port(String property) {
    return frontend().getEnvironment().getRequiredProperty(property, Integer.class);
  }

  /// Stops the services in the reverse of the start order.
  @Override
  public void close() {
    services.reversed().forEach(ConfigurableApplicationContext::close);
    services.clear();
    shared.close();
  }

  private void start(StoreServiceDescriptor service, List<String> args) {
    Program program =
        PROGRAMS.stream()
            .filter(it -> it.name().equals(service.program()))
            .findFirst()
            .orElseThrow();
    services.add(
        ServiceProcess.startBeside(
            program.application(),
            program.name(),
            program.settings(),
            args,
            new ParentContextApplicationContextInitializer(shared)));
  }

  private ConfigurableApplicationContext frontend() {
    return services.getLast();
  }

  /// @param inProcess in-process gRPC server names by service name
  private static List<String> withArgs(
      String[] args, Map<String, String> inProcess, StoreServiceDescriptor service) {
    var arguments = new ArrayList<>(List.of(args));
    if (service.protocol() == Protocol.GRPC) {
      arguments.add("--spring.grpc.server.inprocess.name=" + inProcess.get(service.name()));
    }
    for (String peer : service.peers()) {
      arguments.add(
          format("--%s.%s-target=in-process:%s", service.prefix(), peer, inProcess.get(peer)));
    }
    return arguments;
  }
}
