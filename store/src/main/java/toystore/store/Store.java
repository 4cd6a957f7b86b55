package toystore.store;

import io.grpc.inprocess.InProcessServerBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.context.ConfigurableApplicationContext;
import toystore.catalog.CatalogApplication;
import toystore.frontend.FrontendApplication;
import toystore.order.OrderApplication;
import toystore.service.ServiceProcess;
import toystore.service.watch.Meters;

/// All services beside each other. The code is that of the single services; only the gRPC targets
/// differ. Their gRPC ports are open all the same, for grpcurl; of the management ports the
/// frontend's alone is, and its metrics are those of all.
public final class Store implements AutoCloseable {
  private final List<ConfigurableApplicationContext> services = new ArrayList<>();
  private final Meters meters = new Meters();

  private Store() {}

  public static void main(String[] args) {
    try {
      Store store = start(args);
      Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(store::close));
      ServiceProcess.supervise(store.frontend());
    } catch (RuntimeException e) {
      ServiceProcess.refuse(e);
    }
  }

  /// Starts them, those in front last.
  public static Store start(String... args) {
    var store = new Store();
    String catalog = InProcessServerBuilder.generateName();
    String order = InProcessServerBuilder.generateName();
    try {
      store.start(
          CatalogApplication.class,
          CatalogApplication.NAME,
          CatalogApplication.SETTINGS,
          false,
          with(args, "--spring.grpc.server.inprocess.name=" + catalog));
      store.start(
          OrderApplication.class,
          OrderApplication.NAME,
          OrderApplication.SETTINGS,
          false,
          with(
              args,
              "--spring.grpc.server.inprocess.name=" + order,
              "--toystore.order.catalog-target=in-process:" + catalog));
      store.start(
          FrontendApplication.class,
          FrontendApplication.NAME,
          FrontendApplication.SETTINGS,
          true,
          with(
              args,
              "--toystore.frontend.catalog-target=in-process:" + catalog,
              "--toystore.frontend.order-target=in-process:" + order));
      return store;
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /// The port a property such as `local.server.port` names.
  public int port(String property) {
    return frontend().getEnvironment().getRequiredProperty(property, Integer.class);
  }

  /// Stops them, those in front first.
  @Override
  public void close() {
    services.reversed().forEach(ConfigurableApplicationContext::close);
    services.clear();
    meters.close();
  }

  private void start(
      Class<?> application,
      String name,
      Class<? extends Record> settings,
      boolean web,
      List<String> args) {
    services.add(ServiceProcess.startBeside(application, name, settings, args, web, meters));
  }

  private ConfigurableApplicationContext frontend() {
    return services.getLast();
  }

  private static List<String> with(String[] args, String... more) {
    return Stream.concat(Stream.of(args), Stream.of(more)).toList();
  }
}
