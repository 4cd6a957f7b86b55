package toystore.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
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
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.slf4j.LoggerFactory;
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
import toystore.common.v1.IdempotencyKey;
import toystore.common.v1.Line;
import toystore.common.v1.RequestEnvelope;
import toystore.common.v1.SaleKind;
import toystore.order.v1.GetOrderRequest;
import toystore.order.v1.ListOrdersRequest;
import toystore.order.v1.OrderServiceGrpc;
import toystore.order.v1.PlaceOrderRequest;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.RequestKey;
import toystore.platform.rpc.CallEnvelope;

/// Sends invalid requests to the gRPC ports: each is refused with its reason, nothing changes, and
/// the services continue.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrpcMisuseTest {
  private static final String CATALOG = "toystore.catalog.v1.CatalogService/";
  private static final String ORDER = "toystore.order.v1.OrderService/";
  private static final long SEED = 7;
  private static final RequestEnvelope ENVELOPE =
      RequestEnvelope.newBuilder()
          .setKey(IdempotencyKey.newBuilder().setScope("misuse").setValue("k"))
          .build();

  private static final SellRequest ONE_STOCK =
      sell()
          .setKind(SaleKind.SALE_KIND_SELL) // adds to the stock, which never runs out
          .clearLines()
          .addLines(Line.newBuilder().setName("GameStart").setQuantity(1))
          .build();

  private static final Pattern NOBODY_WAITS =
      Pattern.compile("toystore_writer_queue_depth\\{writer=\"catalog\"} 0\\.0");

  private static final List<Code> MESSAGE_ENDINGS =
      List.of(Code.OK, Code.INVALID_ARGUMENT, Code.NOT_FOUND);

  /// gRPC's own answer to bytes that are not a valid message. It has no details.
  private static final List<Code> NOISE_ENDINGS = List.of(Code.UNKNOWN, Code.INTERNAL);

  private record Case(MessageLite request, RequestEnvelope envelope, ErrorReason reason) {
    RawGrpcClient.Ending expected() {
      return new RawGrpcClient.Ending(reason.code(), reason);
    }

    /// The method that takes such a request.
    String method() {
      return methods().stream()
          .filter(it -> prototype(it).getClass() == request.getClass())
          .findFirst()
          .orElseThrow()
          .getFullMethodName();
    }

    private static Object prototype(MethodDescriptor<?, ?> method) {
      return requireNonNull(
          ((PrototypeMarshaller<?>) method.getRequestMarshaller()).getMessagePrototype());
    }
  }

  private StoreFixture store;
  private RawGrpcClient catalog;
  private RawGrpcClient order;
  private Metadata token;

  @BeforeAll
  void open() throws IOException {
    store = SharedStore.open().store();
    catalog = RawGrpcClient.of(SharedStore.CATALOG_PORT);
    order = RawGrpcClient.of(SharedStore.ORDER_PORT);
    token = new Metadata();
    token.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
        "Bearer " + store.administratorsToken());
  }

  @AfterAll
  void close() {
    catalog.close();
    order.close();
  }

  @Test
  void invalidRequestIsRefusedWithReasonAndChangesNothing() throws IOException {
    String before = state();
    var wrong = new ArrayList<String>();
    for (Case it : cases()) {
      RawGrpcClient.Ending ending =
          to(it.method()).send(it.method(), it.request, token, metadata(it.envelope));
      if (!ending.equals(it.expected())) {
        String request = it.method() + " " + it.envelope + " " + it.request;
        wrong.add(request.substring(0, Math.min(300, request.length())) + ": " + ending);
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
    changes(all);
    return all;
  }

  private static void queries(List<Case> all) {
    for (String name : List.of("", "nobody", "x".repeat(1_000_000), "a/b", "\0")) {
      refused(
          all,
          ErrorReason.PRODUCT_NOT_FOUND,
          GetProductRequest.newBuilder().setName(name),
          sell().setLines(0, line(1).setName(name)),
          RemoveProductRequest.newBuilder().setName(name),
          UpdateProductRequest.newBuilder().setName(name).setPriceCents(1));
    }
    for (int limit : List.of(-1, 201, Integer.MAX_VALUE, Integer.MIN_VALUE)) {
      invalid(
          all,
          ListProductsRequest.newBuilder().setLimit(limit),
          SearchProductsRequest.newBuilder().setQuery("a").setLimit(limit),
          ListOrdersRequest.newBuilder().setLimit(limit));
    }
    for (String query : List.of("x".repeat(201), "a b c d e f g h i j k", "\"".repeat(1_000_000))) {
      invalid(all, SearchProductsRequest.newBuilder().setQuery(query));
    }
    for (long number : List.of(-1L, 999_999L, Long.MAX_VALUE, Long.MIN_VALUE)) {
      refused(
          all,
          ErrorReason.ORDER_NOT_FOUND,
          GetSaleRequest.newBuilder().setSeries(Series.SERIES_STORE).setNumber(number),
          GetOrderRequest.newBuilder().setNumber(number));
    }
    for (int series : List.of(0, 3, 99, -1)) {
      invalid(
          all,
          GetSaleRequest.newBuilder().setSeriesValue(series),
          ListSalesRequest.newBuilder().setSeriesValue(series).setLimit(1),
          sell().setSeriesValue(series));
    }
    var sales = ListSalesRequest.newBuilder().setSeries(Series.SERIES_STORE).setLimit(1);
    invalid(all, sales.clone().setFrom(-1), ListOrdersRequest.newBuilder().setAfter(-2));
    for (int limit : List.of(0, -1, 1_001)) {
      invalid(all, sales.clone().setLimit(limit));
    }
  }

  private static void sells(List<Case> all) {
    var none = RequestEnvelope.getDefaultInstance();
    refused(all, none, ErrorReason.INVALID, sell(), place(), tiger(spec()), restock());
    invalid(all, sell().clearLines(), place().clearLines());
    invalid(all, place().clear(), sell().addAllLines(lines(1)), place().addAllLines(lines(1)));
    for (int lines : List.of(50, 9_999)) {
      invalid(
          all,
          sell().setAsList(true).addAllLines(lines(lines)),
          place().setAsList(true).addAllLines(lines(lines)));
    }
    for (long quantity : List.of(0L, -1L, Integer.MAX_VALUE + 1L, Long.MAX_VALUE, Long.MIN_VALUE)) {
      invalid(all, sell().setLines(0, line(quantity)), place().setLines(0, line(quantity)));
    }
    for (int kind : List.of(0, 4, -1)) {
      invalid(all, sell().setKindValue(kind), place().setKindValue(kind));
    }
    for (String value : List.of("", "x".repeat(256), "ü", "a\nb", "x".repeat(3_000))) {
      var envelope = ENVELOPE.toBuilder();
      envelope.getKeyBuilder().setValue(value);
      refused(all, envelope.build(), ErrorReason.INVALID, sell(), place());
    }
    for (String scope : List.of("x".repeat(1_025), "a\nb")) {
      var envelope = ENVELOPE.toBuilder();
      envelope.getKeyBuilder().setScope(scope);
      refused(all, envelope.build(), ErrorReason.INVALID, sell(), place());
    }
    for (var moment :
        List.of(at(0, -1), at(0, 1_000_000_000), at(Long.MAX_VALUE, 0), at(Long.MIN_VALUE, 0))) {
      refused(all, by(moment), ErrorReason.INVALID, sell(), place());
    }
    refused(all, by(at(1, 0)), ErrorReason.TOO_LATE, sell(), place());
    refused(all, ErrorReason.OUT_OF_STOCK, sell().setLines(0, line(81)));
  }

  private static void changes(List<Case> all) {
    invalid(all, tiger(spec()).clear());
    for (String name :
        List.of("", "x".repeat(101), "a/b", "50%", " a", "a\u0007", "x".repeat(500_000))) {
      invalid(all, tiger(spec().setName(name)));
    }
    for (long price : List.of(0L, -1L, 100_000_000_001L, Long.MAX_VALUE, Long.MIN_VALUE)) {
      invalid(
          all,
          tiger(spec().setPriceCents(price)),
          UpdateProductRequest.newBuilder().setName("Tux").setPriceCents(price));
    }
    for (long quantity : List.of(-1L, 9_000_000_000_000_001L, Long.MAX_VALUE, Long.MIN_VALUE)) {
      invalid(
          all,
          tiger(spec().setQuantity(quantity)),
          tiger(spec().setMaxVolume(quantity)),
          restock().setQuantity(quantity));
    }
    for (String category : List.of("x".repeat(51), "a\u0000", "x".repeat(500_000))) {
      invalid(all, tiger(spec().setCategory(category)));
    }
    invalid(all, restock().clear(), restock().clearQuantity());
    refused(all, ErrorReason.NAME_TAKEN, tiger(spec().setName("Tux")));
    invalid(all, ImportProductsRequest.newBuilder().setCsv("x".repeat(1_000_000)));
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
    for (int port : List.of(SharedStore.CATALOG_PORT, SharedStore.ORDER_PORT)) {
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
      catalog.sendAndCancel(CATALOG + "Sell", ONE_STOCK, metadata(cancelled(i)));
      order.sendAndCancel(
          ORDER + "ListOrders", ListOrdersRequest.newBuilder().setLimit(200).build());
      catalog.sendAndCancel(
          CATALOG + "SearchProducts", SearchProductsRequest.newBuilder().setQuery("a").build());
    }
    var known = new ArrayList<Integer>();
    var stub = CatalogServiceGrpc.newBlockingStub(catalog.channel());
    long sold = 0;
    for (int i = 0; i < calls; i++) {
      var repeat = new CallEnvelope(new RequestKey("cancelled", "k" + i, true), null);
      var sale = stub.withInterceptors(repeat).sell(ONE_STOCK); // the first sale or a new one
      if (repeat.replayed()) {
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

  private static RequestEnvelope cancelled(int i) {
    var key = IdempotencyKey.newBuilder().setScope("cancelled").setValue("k" + i);
    return RequestEnvelope.newBuilder().setKey(key.setClientMade(true)).build();
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

  private static void invalid(List<Case> all, MessageLite.Builder... requests) {
    refused(all, ErrorReason.INVALID, requests);
  }

  private static void refused(List<Case> all, ErrorReason reason, MessageLite.Builder... requests) {
    refused(all, ENVELOPE, reason, requests);
  }

  private static void refused(
      List<Case> all,
      RequestEnvelope envelope,
      ErrorReason reason,
      MessageLite.Builder... requests) {
    Stream.of(requests).forEach(it -> all.add(new Case(it.build(), envelope, reason)));
  }

  private static Metadata metadata(RequestEnvelope envelope) {
    var metadata = new Metadata();
    metadata.put(
        Metadata.Key.of("toystore-envelope-bin", Metadata.BINARY_BYTE_MARSHALLER),
        envelope.toByteArray());
    return metadata;
  }

  private static RequestEnvelope by(Timestamp moment) {
    return ENVELOPE.toBuilder().setDecideBy(moment).build();
  }

  private static GetProductRequest tux() {
    return GetProductRequest.newBuilder().setName("Tux").build();
  }

  private static SellRequest.Builder sell() {
    return SellRequest.newBuilder()
        .setSeries(Series.SERIES_STORE)
        .setKind(SaleKind.SALE_KIND_ORDER)
        .addLines(line(1));
  }

  private static PlaceOrderRequest.Builder place() {
    return PlaceOrderRequest.newBuilder().setKind(SaleKind.SALE_KIND_ORDER).addLines(line(1));
  }

  private static AddProductRequest.Builder tiger(ProductSpec.Builder spec) {
    return AddProductRequest.newBuilder().setProduct(spec);
  }

  private static ProductSpec.Builder spec() {
    return ProductSpec.newBuilder().setName("Tiger").setPriceCents(100).setQuantity(1);
  }

  private static RestockRequest.Builder restock() {
    return RestockRequest.newBuilder().setName("Tux").setQuantity(1);
  }

  private static Line.Builder line(long quantity) {
    return Line.newBuilder().setName("Tux").setQuantity(quantity);
  }

  private static List<Line> lines(int count) {
    return Collections.nCopies(count, line(1).build());
  }

  private static Timestamp at(long seconds, int nanos) {
    return Timestamp.newBuilder().setSeconds(seconds).setNanos(nanos).build();
  }
}
