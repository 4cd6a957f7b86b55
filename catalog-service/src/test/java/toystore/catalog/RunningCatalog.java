package toystore.catalog;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import toystore.bazaar.v1.StockBazaarGrpc;
import toystore.bazaar.v1.TradeRequest;
import toystore.bazaar.v1.TradeType;
import toystore.catalog.v1.AddItemRequest;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.Condition;
import toystore.catalog.v1.GetProductRequest;
import toystore.catalog.v1.GetProductResponse;
import toystore.catalog.v1.GetSaleRequest;
import toystore.catalog.v1.ItemServiceGrpc;
import toystore.catalog.v1.ItemSpec;
import toystore.catalog.v1.ListItemSalesRequest;
import toystore.catalog.v1.ListItemSalesResponse;
import toystore.catalog.v1.ReturnItemsRequest;
import toystore.catalog.v1.SellItemsRequest;
import toystore.catalog.v1.SellRequest;
import toystore.catalog.v1.SellResponse;
import toystore.catalog.v1.Series;
import toystore.common.v1.AuditRequest;
import toystore.common.v1.AuditResponse;
import toystore.common.v1.AuditServiceGrpc;
import toystore.common.v1.Line;
import toystore.common.v1.SaleKind;
import toystore.platform.journal.RequestKey;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.service.ServiceProcess;

/// The catalog service on a real file, with its gRPC services in this process and its line protocol
/// on a free port.
final class RunningCatalog implements AutoCloseable {
  static final String TOKEN = "the-administrators";

  final ConfigurableApplicationContext service;
  private final ManagedChannel channel;

  RunningCatalog(Path folder, String... settings) {
    this(folder, InProcessServerBuilder.generateName(), List.of(), settings);
  }

  /// @param name of the server in this process
  RunningCatalog(Path folder, String name, List<Object> beans, String... settings) {
    channel = InProcessChannelBuilder.forName(name).build();
    var arguments =
        new ArrayList<>(
            List.of(
                "--toystore.data=" + folder,
                "--toystore.admin-token=" + TOKEN,
                "--toystore.catalog.port=0",
                "--toystore.catalog.line-port=0",
                "--spring.grpc.server.inprocess.name=" + name));
    arguments.addAll(List.of(settings));
    service =
        ServiceProcess.startBeside(
            CatalogApplication.class,
            CatalogApplication.NAME,
            CatalogApplication.SETTINGS,
            arguments,
            context ->
                beans.forEach(
                    it -> context.getBeanFactory().registerSingleton(it.getClass().getName(), it)));
  }

  static CallEnvelope key(String value) {
    return new CallEnvelope(new RequestKey("s", value, true), null);
  }

  CatalogServiceGrpc.CatalogServiceBlockingStub store(String key) {
    return store().withInterceptors(key(key));
  }

  CatalogServiceGrpc.CatalogServiceBlockingStub store() {
    return CatalogServiceGrpc.newBlockingStub(channel);
  }

  StockBazaarGrpc.StockBazaarBlockingStub bazaar() {
    return StockBazaarGrpc.newBlockingStub(channel);
  }

  CatalogAdminServiceGrpc.CatalogAdminServiceBlockingStub admin(String key) {
    return admin().withInterceptors(key(key));
  }

  CatalogAdminServiceGrpc.CatalogAdminServiceBlockingStub admin() {
    return adminAs("Bearer " + TOKEN);
  }

  static CatalogAdminServiceGrpc.CatalogAdminServiceBlockingStub admin(Channel channel) {
    return CatalogAdminServiceGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers("Bearer " + TOKEN)));
  }

  CatalogAdminServiceGrpc.CatalogAdminServiceBlockingStub adminAs(String authorization) {
    return CatalogAdminServiceGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers(authorization)));
  }

  ItemServiceGrpc.ItemServiceBlockingStub items(String key) {
    return items().withInterceptors(key(key));
  }

  ItemServiceGrpc.ItemServiceBlockingStub items() {
    return ItemServiceGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers("Bearer " + TOKEN)));
  }

  private static Metadata headers(String authorization) {
    var headers = new Metadata();
    headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), authorization);
    return headers;
  }

  int grpcPort() {
    return service.getBeansOfType(GrpcServerLifecycle.class).values().stream()
        .mapToInt(GrpcServerLifecycle::getPort)
        .filter(port -> port > 0) // that of the in-process server is -1
        .findFirst()
        .orElseThrow();
  }

  int linePort() {
    return service.getBean(LineProtocolLifecycle.class).port();
  }

  /// @return the transaction's number
  long trade() {
    return bazaar()
        .trade(
            TradeRequest.newBuilder()
                .setName("GameStart")
                .setQuantity(1)
                .setType(TradeType.BUY)
                .build())
        .getTransactionNumber();
  }

  SellResponse sell() {
    return sell("k", "Tux", 1);
  }

  SellResponse sell(String key, String product, long units) {
    return sell(channel, key, product, units);
  }

  static SellResponse sell(Channel channel, String key, String product, long units) {
    return CatalogServiceGrpc.newBlockingStub(channel)
        .withInterceptors(new CallEnvelope(new RequestKey("s", key, false), null))
        .sell(
            SellRequest.newBuilder()
                .setSeries(Series.SERIES_STORE)
                .setKind(SaleKind.SALE_KIND_ORDER)
                .addLines(Line.newBuilder().setName(product).setQuantity(units))
                .build());
  }

  static GetProductResponse product(Channel channel, String product) {
    return CatalogServiceGrpc.newBlockingStub(channel)
        .getProduct(GetProductRequest.newBuilder().setName(product).build());
  }

  toystore.catalog.v1.Item addItem(
      long seller, String itemName, long quantity, int category, String... keywords) {
    var item =
        ItemSpec.newBuilder()
            .setName(itemName)
            .setCategory(category)
            .addAllKeywords(List.of(keywords))
            .setCondition(Condition.CONDITION_USED)
            .setPriceCents(250)
            .setQuantity(quantity);
    return items(seller + itemName + category + List.of(keywords).hashCode())
        .addItem(AddItemRequest.newBuilder().setSellerId(seller).setItem(item).build())
        .getItem();
  }

  toystore.catalog.v1.Sale buy(String key, long item, long quantity) {
    return items(key)
        .sellItems(
            SellItemsRequest.newBuilder()
                .addLines(Line.newBuilder().setProductId(item).setQuantity(quantity))
                .build())
        .getSale();
  }

  toystore.catalog.v1.Sale giveBack(String key, long saleNumber) {
    return items(key)
        .returnItems(ReturnItemsRequest.newBuilder().setSaleNumber(saleNumber).build())
        .getSale();
  }

  ListItemSalesResponse purchases() {
    return items().listItemSales(ListItemSalesRequest.newBuilder().setLimit(10).build());
  }

  AuditResponse audit() {
    return AuditServiceGrpc.newBlockingStub(channel).audit(AuditRequest.getDefaultInstance());
  }

  /// Without a token and with an empty request.
  <Q, A> A call(MethodDescriptor<Q, A> method) {
    Q nothing = method.parseRequest(InputStream.nullInputStream());
    return ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, nothing);
  }

  toystore.catalog.v1.Sale sale(long number) {
    return store()
        .getSale(
            GetSaleRequest.newBuilder().setSeries(Series.SERIES_STORE).setNumber(number).build())
        .getSale();
  }

  @Override
  public void close() {
    channel.shutdownNow();
    service.close();
  }
}
