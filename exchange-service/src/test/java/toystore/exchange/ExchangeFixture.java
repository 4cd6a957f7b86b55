package toystore.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.springframework.context.ConfigurableApplicationContext;
import toystore.account.v1.Role;
import toystore.clients.FreePorts;
import toystore.common.v1.AuditCheck;
import toystore.common.v1.AuditRequest;
import toystore.common.v1.AuditServiceGrpc;
import toystore.common.v1.IdempotencyKey;
import toystore.exchange.domain.ExchangeCommand;
import toystore.exchange.domain.ExchangeUnitOfWork;
import toystore.exchange.v1.ExchangeServiceGrpc;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Submitted;
import toystore.platform.rpc.RpcError;
import toystore.platform.service.CallLimits;
import toystore.platform.service.ServiceProcess;
import toystore.platform.storage.SingleWriter;

/// The real exchange service on a real database file, behind real stubs, with a fake account
/// service.
final class ExchangeFixture implements AutoCloseable {
  private static final String ADMINISTRATOR = "token-of-the-administrator";

  private static final CallLimits WITHOUT_CIRCUIT_BREAKER =
      new CallLimits(500, 10_000, 100, Duration.ofSeconds(1), 3, Duration.ofMillis(20));

  final FakeAuthenticator sessions = new FakeAuthenticator();
  final ExchangeTestClient administrator;
  final ManagedChannel channel;
  final int xmlPort = FreePorts.free();

  private final Server accounts;
  private final ConfigurableApplicationContext service;
  private int keys;

  ExchangeFixture(Path data, String... arguments) {
    String name = InProcessServerBuilder.generateName();
    String accountName = InProcessServerBuilder.generateName();
    accounts =
        InProcessServerBuilder.forName(accountName)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .addService(sessions)
            .build();
    try {
      accounts.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<String> all =
        new ArrayList<>(
            List.of(
                "--toystore.data=" + data,
                "--toystore.exchange.port=0",
                "--toystore.exchange.xml-port=" + xmlPort,
                "--toystore.exchange.account-target=in-process:" + accountName,
                "--toystore.admin-token=" + ADMINISTRATOR,
                "--spring.grpc.server.inprocess.name=" + name));
    all.addAll(List.of(arguments));
    service =
        ServiceProcess.startBeside(
            ExchangeApplication.class,
            ExchangeApplication.NAME,
            ExchangeApplication.SETTINGS,
            all,
            context ->
                context.getBeanFactory().registerSingleton("testLimits", WITHOUT_CIRCUIT_BREAKER));
    channel = InProcessChannelBuilder.forName(name).build();
    administrator = client(ADMINISTRATOR);
  }

  <T> T bean(Class<T> type) {
    return service.getBean(type);
  }

  /// As the XML gateway does.
  <T> T submit(ExchangeCommand<T> command) {
    return switch (writer().submit(new Submitted<>(command)).toCompletableFuture().join()) {
      case Answer.Done<T>(T value, _) -> value;
      case Answer.Refusal<T> refusal -> throw new AssertionError(refusal);
      case Answer.NotDecided<T> notDecided -> throw new AssertionError(notDecided);
    };
  }

  /// Returns when the writer is busy with a command, which it is until the future is complete.
  void blockWriter(CompletableFuture<Void> until) {
    var blocked = new CompletableFuture<Void>();
    writer()
        .submit(
            new Submitted<>(
                new ExchangeCommand.CreateAccount(null, null, 0),
                null,
                null,
                () -> {
                  blocked.complete(null);
                  until.join();
                  return true;
                }));
    blocked.join();
  }

  @SuppressWarnings("unchecked")
  private SingleWriter<ExchangeUnitOfWork> writer() {
    return service.getBean(SingleWriter.class);
  }

  ExchangeTestClient client(String token) {
    return new ExchangeTestClient(
        ExchangeServiceGrpc.newBlockingStub(channel)
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers(token))),
        () -> "key " + keys++);
  }

  ExchangeTestClient buyer(long id) {
    return client(sessions.login(Role.ROLE_BUYER, id));
  }

  static Metadata headers(String token) {
    var headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    return headers;
  }

  static IdempotencyKey key(String value) {
    return IdempotencyKey.newBuilder().setScope("s").setValue(value).setClientMade(true).build();
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
    accounts.shutdownNow();
  }
}
