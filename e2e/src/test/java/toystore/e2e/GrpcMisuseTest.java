package toystore.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Timestamp;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import toystore.catalog.rpc.CatalogErrorReasons;
import toystore.catalog.v1.AddProductRequest;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.GetProductRequest;
import toystore.catalog.v1.GetSaleRequest;
import toystore.catalog.v1.ImportProductsRequest;
import toystore.catalog.v1.ListProductsRequest;
import toystore.catalog.v1.ListSalesRequest;
import toystore.catalog.v1.ProductSpec;
import toystore.catalog.v1.RemoveProductRequest;
import toystore.catalog.v1.RestockRequest;
import toystore.catalog.v1.SearchProductsRequest;
import toystore.catalog.v1.SellRequest;
import toystore.catalog.v1.Series;
import toystore.catalog.v1.UpdateProductRequest;
import toystore.clients.FreePorts;
import toystore.common.v1.IdempotencyKey;
import toystore.common.v1.Line;
import toystore.common.v1.SaleKind;
import toystore.order.v1.GetOrderRequest;
import toystore.order.v1.ListOrdersRequest;
import toystore.order.v1.OrderServiceGrpc;
import toystore.order.v1.PlaceOrderRequest;
import toystore.platform.rpc.ErrorReason;

/// Sends invalid requests to the gRPC ports: each is refused with its reason, nothing changes, and
/// the services continue.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrpcMisuseTest {
  private static final String CATALOG = "toystore.catalog.v1.CatalogService/";
  private static final String ADMIN = "toystore.catalog.v1.CatalogAdminService/";
  private static final String ORDER = "toystore.order.v1.OrderService/";
  private static final long SEED = 7;
  private static final Pattern NOBODY_WAITS =
      Pattern.compile("toystore_writer_queue_depth\\{writer=\"catalog\"} 0\\.0");

  private static final List<Code> MESSAGE_ENDINGS =
      List.of(Code.OK, Code.INVALID_ARGUMENT, Code.NOT_FOUND);

  /// gRPC's own answer to bytes that are not a valid message. It has no details.
  private static final List<Code> NOISE_ENDINGS = List.of(Code.UNKNOWN, Code.INTERNAL);

  private record Case(
      String what, String method, MessageLite request, Code code, ErrorReason reason) {
    RawGrpcClient.Ending expected() {
      return new RawGrpcClient.Ending(code, reason);
    }
  }

  private StoreFixture store;
  private int catalogPort;
  private int orderPort;
  private RawGrpcClient catalog;
  private RawGrpcClient order;
  private Metadata token;

  @BeforeAll
  void open(@TempDir Path folder) throws IOException {
    catalogPort = FreePorts.free();
    orderPort = FreePorts.free();
    store =
        StoreFixture.in(
            folder, "--toystore.catalog.port=" + catalogPort, "--toystore.order.port=" + orderPort);
    catalog = RawGrpcClient.of(catalogPort);
    order = RawGrpcClient.of(orderPort);
    token = new Metadata();
    token.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
        "Bearer " + Files.readString(folder.resolve("admin-token")).strip());
  }

  @AfterAll
  void close() {
    catalog.close();
    order.close();
    store.close();
  }

  @Test
  void invalidRequestIsRefusedWithReasonAndChangesNothing() throws IOException {
    String before = state();
    var wrong = new ArrayList<String>();
    for (Case it : cases()) {
      RawGrpcClient.Ending ending = to(it.method).send(it.method, it.request, token);
      if (!ending.equals(it.expected())) {
        wrong.add(it.what + ": wanted " + it.expected() + ", got " + ending);
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(state()).isEqualTo(before);
    assertThat(store.http().audit().status()).isEqualTo(200);
  }

  private static List<Case> cases() {
    List<Case> all = new ArrayList<>();
    queries(all);
    sells(all);
    orders(all);
    changes(all);
    return all;
  }

  private static void queries(List<Case> all) {
    for (String name : List.of("", "nobody", "x".repeat(1_000_000), "a/b", "\0")) {
      add(
          all,
          "GetProduct",
          CATALOG + "GetProduct",
          it(GetProductRequest.newBuilder().setName(name)),
          CatalogErrorReasons.PRODUCT_NOT_FOUND);
    }
    for (int limit : List.of(-1, 201, Integer.MAX_VALUE, Integer.MIN_VALUE)) {
      invalid(
          all,
          "ListProducts limit " + limit,
          CATALOG + "ListProducts",
          ListProductsRequest.newBuilder().setLimit(limit).build());
      invalid(
          all,
          "SearchProducts limit " + limit,
          CATALOG + "SearchProducts",
          SearchProductsRequest.newBuilder().setQuery("a").setLimit(limit).build());
      invalid(
          all,
          "ListOrders limit " + limit,
          ORDER + "ListOrders",
          ListOrdersRequest.newBuilder().setLimit(limit).build());
    }
    for (String query :
        List.of(
            "x".repeat(201),
            "a b c d e f g h i j k",
            "a ".repeat(100_000),
            "\"".repeat(1_000_000))) {
      invalid(
          all,
          "SearchProducts long query",
          CATALOG + "SearchProducts",
          SearchProductsRequest.newBuilder().setQuery(query).build());
    }
    for (long number : List.of(-1L, 999_999L, Long.MAX_VALUE, Long.MIN_VALUE)) {
      add(
          all,
          "GetSale " + number,
          CATALOG + "GetSale",
          GetSaleRequest.newBuilder().setSeries(Series.SERIES_STORE).setNumber(number).build(),
          CatalogErrorReasons.ORDER_NOT_FOUND);
      add(
          all,
          "GetOrder " + number,
          ORDER + "GetOrder",
          GetOrderRequest.newBuilder().setNumber(number).build(),
          CatalogErrorReasons.ORDER_NOT_FOUND);
    }
    for (int series : List.of(0, 3, 99, -1)) {
      invalid(
          all,
          "GetSale series " + series,
          CATALOG + "GetSale",
          GetSaleRequest.newBuilder().setSeriesValue(series).build());
      invalid(
          all,
          "ListSales series " + series,
          CATALOG + "ListSales",
          ListSalesRequest.newBuilder().setSeriesValue(series).setLimit(1).build());
    }
    var sales = ListSalesRequest.newBuilder().setSeries(Series.SERIES_STORE).setLimit(1);
    invalid(all, "ListSales from -1", CATALOG + "ListSales", sales.clone().setFrom(-1).build());
    for (int limit : List.of(0, -1, 1_001)) {
      invalid(
          all,
          "ListSales limit " + limit,
          CATALOG + "ListSales",
          sales.clone().setLimit(limit).build());
    }
    invalid(
        all,
        "ListOrders after -2",
        ORDER + "ListOrders",
        ListOrdersRequest.newBuilder().setAfter(-2).build());
  }

  private static void sells(List<Case> all) {
    sell(all, "no key", SellRequest.Builder::clearKey);
    sell(all, "no series", SellRequest.Builder::clearSeries);
    sell(all, "unknown series", it -> it.setSeriesValue(77));
    for (long quantity : List.of(0L, -1L, Integer.MAX_VALUE + 1L, Long.MAX_VALUE, Long.MIN_VALUE)) {
      sell(all, "quantity " + quantity, it -> it.getLinesBuilder(0).setQuantity(quantity));
    }
    sell(all, "no line", SellRequest.Builder::clearLines);
    sell(all, "51 lines", it -> it.setAsList(true).addAllLines(lines(50)));
    sell(all, "10,000 lines", it -> it.setAsList(true).addAllLines(lines(9_999)));
    sell(all, "two lines, no list", it -> it.addAllLines(lines(1)));
    for (int kind : List.of(0, 4, -1)) {
      sell(all, "kind " + kind, it -> it.setKindValue(kind));
    }
    for (String value : List.of("", "x".repeat(256), "ü", "a\nb", "x".repeat(500_000))) {
      sell(all, "key of " + value.length(), it -> it.getKeyBuilder().setValue(value));
    }
    for (String scope : List.of("x".repeat(1_025), "a\nb")) {
      sell(all, "scope of " + scope.length(), it -> it.getKeyBuilder().setScope(scope));
    }
    for (var moment :
        List.of(at(0, -1), at(0, 1_000_000_000), at(Long.MAX_VALUE, 0), at(Long.MIN_VALUE, 0))) {
      sell(all, "decide_by " + moment, it -> it.setDecideBy(moment));
    }
    add(
        all,
        "Sell decide_by long ago",
        CATALOG + "Sell",
        sell().setDecideBy(at(1, 0)).build(),
        ErrorReason.TOO_LATE);
    add(
        all,
        "Sell more than there is",
        CATALOG + "Sell",
        with(it -> it.getLinesBuilder(0).setQuantity(81)),
        CatalogErrorReasons.OUT_OF_STOCK);
    for (String name : List.of("", "nobody", "\0", "x".repeat(1_000_000))) {
      add(
          all,
          "Sell a name of " + name.length(),
          CATALOG + "Sell",
          with(it -> it.getLinesBuilder(0).setName(name)),
          CatalogErrorReasons.PRODUCT_NOT_FOUND);
    }
  }

  private static void orders(List<Case> all) {
    place(all, "nothing", PlaceOrderRequest.Builder::clear);
    place(all, "no key", PlaceOrderRequest.Builder::clearKey);
    place(all, "no line", PlaceOrderRequest.Builder::clearLines);
    place(all, "51 lines", it -> it.setAsList(true).addAllLines(lines(50)));
    place(all, "two lines, no list", it -> it.addAllLines(lines(1)));
    for (int kind : List.of(0, 4, -1)) {
      place(all, "kind " + kind, it -> it.setKindValue(kind));
    }
    for (long quantity : List.of(0L, -1L, Integer.MAX_VALUE + 1L)) {
      place(all, "quantity " + quantity, it -> it.getLinesBuilder(0).setQuantity(quantity));
    }
    place(all, "decide_by of no time", it -> it.setDecideBy(at(0, -1)));
    place(all, "key of 256", it -> it.getKeyBuilder().setValue("x".repeat(256)));
  }

  private static void changes(List<Case> all) {
    product(all, "nothing", AddProductRequest.Builder::clear);
    product(all, "no key", AddProductRequest.Builder::clearKey);
    for (String name :
        List.of("", "x".repeat(101), "a/b", "50%", " a", "a\u0007", "x".repeat(500_000))) {
      product(all, "name of " + name.length(), it -> it.getProductBuilder().setName(name));
    }
    for (long price : List.of(0L, -1L, 100_000_000_001L, Long.MAX_VALUE, Long.MIN_VALUE)) {
      product(all, "price " + price, it -> it.getProductBuilder().setPriceCents(price));
      invalid(
          all,
          "UpdateProduct price " + price,
          ADMIN + "UpdateProduct",
          UpdateProductRequest.newBuilder().setName("Tux").setPriceCents(price).build());
    }
    for (long quantity : List.of(-1L, 9_000_000_000_000_001L, Long.MAX_VALUE, Long.MIN_VALUE)) {
      product(all, "quantity " + quantity, it -> it.getProductBuilder().setQuantity(quantity));
      product(all, "max_volume " + quantity, it -> it.getProductBuilder().setMaxVolume(quantity));
      restock(all, "quantity " + quantity, it -> it.setQuantity(quantity));
    }
    for (String category : List.of("x".repeat(51), "a\u0000", "x".repeat(500_000))) {
      product(
          all,
          "category of " + category.length(),
          it -> it.getProductBuilder().setCategory(category));
    }
    restock(all, "nothing", RestockRequest.Builder::clear);
    restock(all, "no key", RestockRequest.Builder::clearKey);
    restock(all, "quantity 0", RestockRequest.Builder::clearQuantity);
    for (String name : List.of("", "nobody", "x".repeat(1_000_000))) {
      add(
          all,
          "RemoveProduct a name of " + name.length(),
          ADMIN + "RemoveProduct",
          RemoveProductRequest.newBuilder().setName(name).build(),
          CatalogErrorReasons.PRODUCT_NOT_FOUND);
      add(
          all,
          "UpdateProduct a name of " + name.length(),
          ADMIN + "UpdateProduct",
          UpdateProductRequest.newBuilder().setName(name).setPriceCents(1).build(),
          CatalogErrorReasons.PRODUCT_NOT_FOUND);
    }
    add(
        all,
        "AddProduct known",
        ADMIN + "AddProduct",
        tiger().setProduct(tiger().getProductBuilder().setName("Tux")).build(),
        CatalogErrorReasons.NAME_TAKEN);
    for (String csv :
        List.of(
            "",
            "name",
            "\"name,price\n",
            "\"name\"x,price,quantity\n",
            "name,price,quantity\n",
            "name,price,quantity\nTux,1\n",
            "name,price,quantity\n\"Tux\"x,1,1\n",
            "name,price,quantity\nTux,1E+2147483647,1\n",
            "x".repeat(1_000_000),
            "name,price,quantity\nTux," + "9".repeat(50_000) + ",1\n",
            "name,price,quantity\nTux,1," + "x".repeat(50_000) + "\n")) {
      invalid(
          all,
          "ImportProducts of " + csv.length(),
          ADMIN + "ImportProducts",
          ImportProductsRequest.newBuilder().setCsv(csv).build());
    }
  }

  @Test
  void malformedBytesAreRefusedAndChangeNothing() throws IOException {
    String before = state();
    var random = new Random(SEED);
    List<MethodDescriptor<?, ?>> methods = methods();
    for (int i = 0; i < 400; i++) {
      var bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      MethodDescriptor<?, ?> descriptor = methods.get(random.nextInt(methods.size()));
      String method = descriptor.getFullMethodName();
      assertThat(to(method).send(method, bytes, token).code())
          .as("%s of %s, seed %d", method, HexFormat.of().formatHex(bytes), SEED)
          .isIn(isMessage(descriptor, bytes) ? MESSAGE_ENDINGS : NOISE_ENDINGS);
    }
    byte[] noUtf8 = {0x0a, 0x02, (byte) 0xc3, 0x28};
    assertThat(catalog.send(CATALOG + "GetProduct", noUtf8).code()).isIn(NOISE_ENDINGS);
    assertThat(state()).isEqualTo(before);
  }

  @Test
  void tooLargeMessageAndUnknownMethodAreRefused() throws IOException {
    String before = state();
    assertThat(catalog.send(CATALOG + "Sel", new byte[0]).code()).isEqualTo(Code.UNIMPLEMENTED);
    assertThat(order.send("/", new byte[0]).code()).isEqualTo(Code.UNIMPLEMENTED);
    assertThat(
            catalog
                .send(
                    CATALOG + "GetProduct",
                    GetProductRequest.newBuilder().setName("x".repeat(17 << 20)).build())
                .code())
        .isEqualTo(Code.RESOURCE_EXHAUSTED);
    assertThat(
            order
                .send(
                    ORDER + "PlaceOrder",
                    place().addLines(Line.newBuilder().setName("x".repeat(5 << 20))).build())
                .code())
        .isEqualTo(Code.RESOURCE_EXHAUSTED);
    var headers = new Metadata();
    headers.put(Metadata.Key.of("x-large", Metadata.ASCII_STRING_MARSHALLER), "x".repeat(20_000));
    assertThat(catalog.send(CATALOG + "GetProduct", tux(), headers).code())
        .isNotIn(Code.OK, Code.DEADLINE_EXCEEDED);
    assertThat(catalog.send(CATALOG + "GetProduct", tux()).code()).isEqualTo(Code.OK);
    assertThat(state()).isEqualTo(before);
  }

  @Test
  void nonGrpcTrafficIsDisconnectedAndServiceContinues() throws IOException {
    var random = new byte[2_000];
    new Random(SEED).nextBytes(random);
    byte[] hello = HexFormat.of().parseHex("16030100c8010000c40303" + "5a".repeat(64));
    byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
    var prefaceAndNoise = ByteString.copyFrom(preface).concat(ByteString.copyFrom(random));
    for (int port : List.of(catalogPort, orderPort)) {
      for (byte[] said :
          List.of(
              "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII),
              hello,
              random,
              prefaceAndNoise.toByteArray())) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
          socket.setSoTimeout(20_000);
          socket.getOutputStream().write(said);
          readToItsEnd(socket);
        }
      }
    }
    assertThat(catalog.send(CATALOG + "GetProduct", tux()).code()).isEqualTo(Code.OK);
    assertThat(order.send(ORDER + "ListOrders", new byte[0]).code()).isEqualTo(Code.OK);
  }

  private static void readToItsEnd(Socket socket) throws IOException {
    try {
      assertThat(socket.getInputStream().readAllBytes()).hasSizeLessThan(10_000);
    } catch (java.net.SocketException reset) {
      // an end as well
    }
  }

  @Test
  void cancelledSaleIsAtomicAndDoesNotBlockOthersOrLogAWarning() throws IOException {
    var log = new ListAppender<ILoggingEvent>();
    log.list = new CopyOnWriteArrayList<>();
    log.start();
    var root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    root.addAppender(log);
    int calls = 1_000;
    for (int i = 0; i < calls; i++) {
      catalog.sendAndCancel(CATALOG + "Sell", oneStock(i));
      order.sendAndCancel(
          ORDER + "ListOrders", ListOrdersRequest.newBuilder().setLimit(200).build());
      catalog.sendAndCancel(
          CATALOG + "SearchProducts", SearchProductsRequest.newBuilder().setQuery("a").build());
    }
    var known = new ArrayList<Integer>();
    var stub = CatalogServiceGrpc.newBlockingStub(catalog.channel());
    long sold = 0;
    for (int i = 0; i < calls; i++) {
      var sale =
          stub.sell(oneStock(i)); // repeats the key: returns the first sale or makes a new one
      if (sale.getReplayed()) {
        known.add(i);
      }
      sold += sale.getSale().getLines(0).getQuantity();
    }
    long left =
        stub.getProduct(GetProductRequest.newBuilder().setName("GameStart").build())
            .getProduct()
            .getVolume();
    assertThat(left).as("%d were sold before they were cancelled", known.size()).isEqualTo(sold);
    await(() -> NOBODY_WAITS.matcher(store.http().metrics()).find());
    assertThat(store.http().audit().status()).isEqualTo(200);
    root.detachAppender(log);
    assertThat(log.list).noneMatch(it -> it.getLevel().isGreaterOrEqual(Level.WARN));
  }

  private static SellRequest oneStock(int i) {
    return sell()
        .setKind(SaleKind.SALE_KIND_SELL) // adds to the stock, which never runs out
        .clearLines()
        .addLines(Line.newBuilder().setName("GameStart").setQuantity(1))
        .setKey(
            IdempotencyKey.newBuilder().setScope("cancelled").setValue("k" + i).setClientMade(true))
        .build();
  }

  private String state() throws IOException {
    var sales =
        ListSalesRequest.newBuilder().setSeries(Series.SERIES_STORE).setLimit(1_000).build();
    return store.http().get("/products?limit=200").body()
        + CatalogServiceGrpc.newBlockingStub(catalog.channel()).listSales(sales).getNextNumber();
  }

  private RawGrpcClient to(String method) {
    return method.startsWith(ORDER) ? order : catalog;
  }

  private static boolean isMessage(MethodDescriptor<?, ?> method, byte[] bytes) {
    try {
      method.getRequestMarshaller().parse(new ByteArrayInputStream(bytes));
      return true;
    } catch (StatusRuntimeException e) {
      return false;
    }
  }

  private static List<MethodDescriptor<?, ?>> methods() {
    return Stream.of(
            CatalogServiceGrpc.getServiceDescriptor(),
            CatalogAdminServiceGrpc.getServiceDescriptor(),
            OrderServiceGrpc.getServiceDescriptor())
        .<MethodDescriptor<?, ?>>flatMap(it -> it.getMethods().stream())
        .filter(it -> it.getType() == MethodType.UNARY)
        .toList();
  }

  private static void sell(List<Case> all, String what, Consumer<SellRequest.Builder> change) {
    invalid(all, "Sell " + what, CATALOG + "Sell", with(change));
  }

  private static SellRequest with(Consumer<SellRequest.Builder> change) {
    SellRequest.Builder request = sell();
    change.accept(request);
    return request.build();
  }

  private static void place(
      List<Case> all, String what, Consumer<PlaceOrderRequest.Builder> change) {
    PlaceOrderRequest.Builder request = place();
    change.accept(request);
    invalid(all, "PlaceOrder " + what, ORDER + "PlaceOrder", request.build());
  }

  private static void product(
      List<Case> all, String what, Consumer<AddProductRequest.Builder> change) {
    AddProductRequest.Builder request = tiger();
    change.accept(request);
    invalid(all, "AddProduct " + what, ADMIN + "AddProduct", request.build());
  }

  private static void restock(
      List<Case> all, String what, Consumer<RestockRequest.Builder> change) {
    var request = RestockRequest.newBuilder().setKey(key()).setName("Tux").setQuantity(1);
    change.accept(request);
    invalid(all, "Restock " + what, ADMIN + "Restock", request.build());
  }

  private static void invalid(List<Case> all, String what, String method, MessageLite request) {
    add(all, what, method, request, ErrorReason.INVALID);
  }

  private static void add(
      List<Case> all, String what, String method, MessageLite request, ErrorReason reason) {
    all.add(new Case(what, method, request, reason.code(), reason));
  }

  private static MessageLite it(MessageLite.Builder builder) {
    return builder.build();
  }

  private static GetProductRequest tux() {
    return GetProductRequest.newBuilder().setName("Tux").build();
  }

  private static SellRequest.Builder sell() {
    return SellRequest.newBuilder()
        .setKey(key())
        .setSeries(Series.SERIES_STORE)
        .setKind(SaleKind.SALE_KIND_ORDER)
        .addLines(Line.newBuilder().setName("Tux").setQuantity(1));
  }

  private static PlaceOrderRequest.Builder place() {
    return PlaceOrderRequest.newBuilder()
        .setKey(key())
        .setKind(SaleKind.SALE_KIND_ORDER)
        .addLines(Line.newBuilder().setName("Tux").setQuantity(1));
  }

  private static AddProductRequest.Builder tiger() {
    return AddProductRequest.newBuilder()
        .setKey(key())
        .setProduct(ProductSpec.newBuilder().setName("Tiger").setPriceCents(100).setQuantity(1));
  }

  private static IdempotencyKey key() {
    return IdempotencyKey.newBuilder().setScope("misuse").setValue("k").build();
  }

  private static List<Line> lines(int count) {
    return IntStream.range(0, count)
        .mapToObj(_ -> Line.newBuilder().setName("Tux").setQuantity(1).build())
        .toList();
  }

  private static Timestamp at(long seconds, int nanos) {
    return Timestamp.newBuilder().setSeconds(seconds).setNanos(nanos).build();
  }
}
