package toystore.platform.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.hash.Hashing;
import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.FrayTest;
import toystore.account.v1.AccountServiceGrpc;
import toystore.account.v1.AuthenticateResponse;
import toystore.account.v1.Session;
import toystore.account.v1.WatchSessionsRequest;
import toystore.account.v1.WatchSessionsResponse;
import toystore.clients.Concurrently;
import toystore.platform.rpc.FakeCall;

/// A logout while other threads look the session up: it is not found after the logout was answered.
/// The lease does not end, as the clock stands still.
@Tag("long")
@ExtendWith(FrayTestExtension.class)
class SessionCacheClientFrayTest {
  private static final String TOKEN = "tökén";

  private final Accounts accounts = new Accounts();
  private final SessionCacheClient sessions =
      new SessionCacheClient(accounts, accounts, new SimpleMeterRegistry(), () -> 0);

  /// The account service, with one session.
  private static final class Accounts extends Channel {
    private volatile boolean ended;
    private @Nullable FakeCall<WatchSessionsRequest, WatchSessionsResponse> watch;

    @Override
    @SuppressWarnings("unchecked") // the method has the types
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
      if (method == (Object) AccountServiceGrpc.getWatchSessionsMethod()) {
        var call = new FakeCall<Q, A>();
        watch = (FakeCall<WatchSessionsRequest, WatchSessionsResponse>) call;
        return call;
      }
      return new FakeCall<>() {
        @Override
        public void halfClose() {
          if (ended) {
            close(Status.UNAUTHENTICATED);
          } else {
            send((A) session());
            close(Status.OK);
          }
        }
      };
    }

    private static AuthenticateResponse session() {
      return AuthenticateResponse.newBuilder()
          .setSession(Session.newBuilder().setSessionId(1))
          .build();
    }

    void giveLease() {
      send(WatchSessionsResponse.newBuilder());
    }

    /// Returns when the logout may be answered: the watcher has acknowledged the end.
    void logOut() {
      ended = true;
      int asked = requireNonNull(watch).requests.size();
      var hash = Hashing.sha256().hashString(TOKEN, UTF_8).asBytes();
      send(WatchSessionsResponse.newBuilder().addEndedTokenSha256(ByteString.copyFrom(hash)));
      assertThat(watch.requests).hasSize(asked + 1);
    }

    private void send(WatchSessionsResponse.Builder answer) {
      requireNonNull(watch).send(answer.build());
    }

    @Override
    public String authority() {
      return "accounts";
    }
  }

  SessionCacheClientFrayTest() {
    Concurrently.initialize(() -> {
      new SessionCacheClientFrayTest().endedSessionIsNotFoundAfterTheLogout();
    });
  }

  @FrayTest(iterations = 500, resetClassLoaderPerIteration = false)
  void endedSessionIsNotFoundAfterTheLogout() {
    sessions.begin();
    Concurrently.run(
        this::find,
        this::find,
        () -> {
          accounts.giveLease();
          accounts.logOut();
          assertNotFound();
        });
    assertNotFound();
  }

  private void assertNotFound() {
    assertThatThrownBy(() -> find().join()).isInstanceOf(CompletionException.class);
  }

  private CompletableFuture<Session> find() {
    return sessions.find(TOKEN).toCompletableFuture();
  }
}
