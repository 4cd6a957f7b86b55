package toystore.frontend;

import static java.util.Objects.requireNonNull;
import static toystore.common.RootLocale.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import toystore.account.AccountApplication;
import toystore.catalog.CatalogApplication;
import toystore.exchange.ExchangeApplication;
import toystore.order.OrderApplication;
import toystore.payment.PaymentApplication;
import toystore.platform.service.ServiceProcess;
import toystore.platform.service.StoreServiceDescriptor;

/// The real services that a frontend calls, in this JVM and on free ports.
final class RunningServices {
  private final Map<String, ConfigurableApplicationContext> services = new LinkedHashMap<>();
  private final List<String> settings;

  /// @param settings of all services
  RunningServices(Path data, String... settings) {
    this.settings = new ArrayList<>(List.of(settings));
    this.settings.add("--toystore.data=" + data);
    start(CatalogApplication.class, CatalogApplication.NAME, CatalogApplication.SETTINGS);
    start(AccountApplication.class, AccountApplication.NAME, AccountApplication.SETTINGS);
    start(PaymentApplication.class, PaymentApplication.NAME, PaymentApplication.SETTINGS);
    start(ExchangeApplication.class, ExchangeApplication.NAME, ExchangeApplication.SETTINGS);
    start(OrderApplication.class, OrderApplication.NAME, OrderApplication.SETTINGS);
  }

  private void start(Class<?> application, String program, Class<? extends Record> record) {
    var service = StoreServiceDescriptor.of(program);
    var all = new ArrayList<>(settings);
    all.add(format("--%s.port=0", service.prefix()));
    service
        .furtherPorts()
        .keySet()
        .forEach(it -> all.add(format("--%s.%s-port=0", service.prefix(), it)));
    all.addAll(targets(service));
    services.put(service.name(), ServiceProcess.startBeside(application, program, record, all));
  }

  /// The settings with the addresses of the services that a service calls.
  List<String> targets(StoreServiceDescriptor of) {
    return of.peers().stream()
        .map(peer ->
            format(
                "--%s.%s-target=static://127.0.0.1:%d",
                of.prefix(), peer, service(peer).getBean(GrpcServerLifecycle.class).getPort()))
        .toList();
  }

  ConfigurableApplicationContext service(String name) {
    return requireNonNull(services.get(name));
  }
}
