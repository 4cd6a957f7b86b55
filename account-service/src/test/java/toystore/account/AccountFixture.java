package toystore.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.MetadataUtils;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.springframework.context.ConfigurableApplicationContext;
import toystore.account.v1.AccountServiceGrpc;
import toystore.account.v1.AuthenticateRequest;
import toystore.account.v1.GetItemRatingsRequest;
import toystore.account.v1.GetSellerRatingRequest;
import toystore.account.v1.GiveFeedbackRequest;
import toystore.account.v1.ListEndedSessionsRequest;
import toystore.account.v1.LoginRequest;
import toystore.account.v1.LoginResponse;
import toystore.account.v1.LogoutRequest;
import toystore.account.v1.Rating;
import toystore.account.v1.RegisterRequest;
import toystore.account.v1.Role;
import toystore.account.v1.Session;
import toystore.common.v1.AuditCheck;
import toystore.common.v1.AuditRequest;
import toystore.common.v1.AuditServiceGrpc;
import toystore.platform.journal.RequestKey;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.RpcError;
import toystore.platform.service.ServiceProcess;
import toystore.platform.storage.ReadPool;

/// The real account service on a real database file, behind real stubs, with a clock and a password
/// encoder of the test.
final class AccountFixture implements AutoCloseable {
  static final String ADDRESS = "192.0.2.1";
  private static final String TOKEN = "token";

  private final ConfigurableApplicationContext service;
  private final ManagedChannel channel;

  AccountFixture(
      Path data, SettableClock clock, CountingPasswordEncoder encoder, String... arguments) {
    this(data, clock, encoder, List.of(), arguments);
  }

  /// @param beans used in place of the service's own
  AccountFixture(
      Path data,
      SettableClock clock,
      CountingPasswordEncoder encoder,
      List<Object> beans,
      String... arguments) {
    String name = InProcessServerBuilder.generateName();
    List<String> all =
        new ArrayList<>(
            List.of(
                "--toystore.data=" + data,
                "--toystore.account.port=0",
                "--toystore.admin-token=" + TOKEN,
                "--spring.grpc.server.inprocess.name=" + name));
    all.addAll(List.of(arguments));
    service =
        ServiceProcess.startBeside(
            AccountApplication.class,
            AccountApplication.NAME,
            AccountApplication.SETTINGS,
            all,
            context -> {
              context.getBeanFactory().registerSingleton("testClock", clock);
              context.getBeanFactory().registerSingleton("testEncoder", encoder);
              beans.forEach(
                  it -> context.getBeanFactory().registerSingleton(it.getClass().getName(), it));
            });
    channel = InProcessChannelBuilder.forName(name).build();
  }

  <T> T bean(Class<T> type) {
    return service.getBean(type);
  }

  ReadPool readers() {
    return service.getBean("readPool", ReadPool.class);
  }

  ManagedChannel channel() {
    return channel;
  }

  AccountServiceGrpc.AccountServiceBlockingStub accounts() {
    return AccountServiceGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(administrator()));
  }

  AccountServiceGrpc.AccountServiceFutureStub futures() {
    return AccountServiceGrpc.newFutureStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(administrator()));
  }

  static Metadata administrator() {
    var metadata = new Metadata();
    metadata.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + TOKEN);
    return metadata;
  }

  /// @param replayed whether it is the stored answer
  record Registered(long accountId, boolean replayed) {}

  Registered register(Role role, String username, String password, String key) {
    CallEnvelope envelope = envelope(key);
    var response =
        accounts().withInterceptors(envelope).register(registration(role, username, password));
    return new Registered(response.getAccountId(), envelope.replayed());
  }

  long register(Role role, String username) {
    return register(role, username, "secret", encoded("register " + role + username)).accountId();
  }

  /// A key has ASCII characters only.
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  static RegisterRequest registration(Role role, String username, String password) {
    return RegisterRequest.newBuilder()
        .setRole(role)
        .setUsername(username)
        .setPassword(password)
        .build();
  }

  static CallEnvelope envelope(String key) {
    return new CallEnvelope(new RequestKey("s", key, true), null);
  }

  LoginResponse login(Role role, String username) {
    return login(role, username, "secret", ADDRESS);
  }

  LoginResponse login(Role role, String username, String password, String address) {
    return accounts().login(attempt(role, username, password, address));
  }

  static LoginRequest attempt(Role role, String username, String password, String address) {
    return LoginRequest.newBuilder()
        .setRole(role)
        .setUsername(username)
        .setPassword(password)
        .setClientAddress(address)
        .build();
  }

  Session logout(String token) {
    return accounts().logout(LogoutRequest.newBuilder().setToken(token).build()).getSession();
  }

  Session authenticate(String token) {
    return accounts()
        .authenticate(AuthenticateRequest.newBuilder().setToken(token).build())
        .getSession();
  }

  List<Long> ended(List<Long> sessionIds) {
    return accounts()
        .listEndedSessions(
            ListEndedSessionsRequest.newBuilder().addAllSessionIds(sessionIds).build())
        .getSessionIdsList();
  }

  /// @return whether it is the stored answer
  boolean give(String key, long buyer, long item, long seller, boolean up) {
    CallEnvelope envelope = envelope(key);
    var _ =
        accounts()
            .withInterceptors(envelope)
            .giveFeedback(
                GiveFeedbackRequest.newBuilder()
                    .setBuyerId(buyer)
                    .setItemId(item)
                    .setSellerId(seller)
                    .setUp(up)
                    .build());
    return envelope.replayed();
  }

  Rating sellerRating(long seller) {
    return accounts()
        .getSellerRating(GetSellerRatingRequest.newBuilder().setSellerId(seller).build())
        .getRating();
  }

  List<Rating> itemRatings(List<Long> items) {
    return accounts()
        .getItemRatings(GetItemRatingsRequest.newBuilder().addAllItemIds(items).build())
        .getRatingsList();
  }

  static Rating rating(long up, long down) {
    return Rating.newBuilder().setThumbsUp(up).setThumbsDown(down).build();
  }

  List<AuditCheck> audit(boolean full) {
    return AuditServiceGrpc.newBlockingStub(channel)
        .audit(AuditRequest.newBuilder().setFull(full).build())
        .getChecksList();
  }

  static RpcError error(ThrowingCallable call) {
    var refusal = catchThrowableOfType(StatusRuntimeException.class, call);
    assertThat(refusal).as("refusal").isNotNull();
    return RpcError.of(refusal);
  }

  @Override
  public void close() {
    channel.shutdownNow();
    service.close();
  }
}
