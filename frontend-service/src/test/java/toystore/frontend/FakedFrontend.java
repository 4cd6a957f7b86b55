package toystore.frontend;

import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerInterceptors;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import toystore.platform.rpc.EnvelopeInterceptor;
import toystore.platform.service.AdministratorInterceptor;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.CallOrigin;
import toystore.platform.service.SharedSettings;

/// A frontend with fake backend services on real gRPC servers. All tests share one instance.
public final class FakedFrontend extends RunningFrontend {
  static final FakedFrontend OPEN = new FakedFrontend();

  public final FakeCatalogRpc catalog;
  public final FakeOrderRpc orders;
  public final FakeMarketplaceServices market;
  public final FakeExchangeRpc exchange;
  public final FakeAuditRpc catalogAudit;
  public final FakeAuditRpc orderAudit;
  public final HealthStatusManager catalogHealth;

  private FakedFrontend() {
    var catalog = new FakeCatalogRpc();
    var orders = new FakeOrderRpc(catalog);
    var market = new FakeMarketplaceServices();
    var exchange = new FakeExchangeRpc();
    var catalogAudit = new FakeAuditRpc("stock");
    var orderAudit = new FakeAuditRpc("book");
    var catalogHealth = new HealthStatusManager();
    var catalogServer =
        start(
            ServerBuilder.forPort(0)
                .addService(catalog)
                .addService(catalogAudit)
                .addService(ServerInterceptors.intercept(market.items(), administratorOnly()))
                .addService(
                    ServerInterceptors.intercept(
                        new FakeCatalogAdminRpc(catalog), new CallOrigin(), administratorOnly()))
                .addService(catalogHealth.getHealthService()));
    var orderServices =
        ServerBuilder.forPort(0)
            .addService(orders)
            .addService(orderAudit)
            .addService(new HealthStatusManager().getHealthService());
    market
        .orders()
        .forEach(
            it -> orderServices.addService(ServerInterceptors.intercept(it, administratorOnly())));
    var orderServer = start(orderServices);
    var accountServer =
        start(
            ServerBuilder.forPort(0)
                .addService(ServerInterceptors.intercept(market.accounts(), administratorOnly()))
                .addService(new FakeAuditRpc("accounts"))
                .addService(new HealthStatusManager().getHealthService()));
    var exchangeServer =
        start(
            ServerBuilder.forPort(0)
                .addService(exchange.service())
                .addService(new FakeAuditRpc("cash and shares"))
                .addService(new HealthStatusManager().getHealthService()));
    super(
        List.of(
            "--toystore.frontend.catalog-target=static://127.0.0.1:" + catalogServer.getPort(),
            "--toystore.frontend.order-target=static://127.0.0.1:" + orderServer.getPort(),
            "--toystore.frontend.account-target=static://127.0.0.1:" + accountServer.getPort(),
            "--toystore.frontend.exchange-target=static://127.0.0.1:" + exchangeServer.getPort()));
    this.catalog = catalog;
    this.orders = orders;
    this.market = market;
    this.exchange = exchange;
    this.catalogAudit = catalogAudit;
    this.orderAudit = orderAudit;
    this.catalogHealth = catalogHealth;
  }

  public static FakedFrontend open() {
    OPEN.catalog.reset();
    OPEN.orders.reset();
    OPEN.market.reset();
    OPEN.exchange.reset();
    OPEN.catalogAudit.setResult(true);
    OPEN.orderAudit.setResult(true);
    OPEN.catalogHealth.setStatus("", ServingStatus.SERVING);
    return OPEN;
  }

  private static AdministratorInterceptor administratorOnly() {
    var settings = new SharedSettings(Path.of("unused"), false, TOKEN, null);
    return new AdministratorInterceptor(new AdministratorToken(settings));
  }

  private static Server start(ServerBuilder<?> builder) {
    try {
      return builder.intercept(new EnvelopeInterceptor()).build().start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
