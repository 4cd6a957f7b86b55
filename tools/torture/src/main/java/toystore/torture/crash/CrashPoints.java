package toystore.torture.crash;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.grpc.server.GlobalServerInterceptor;
import toystore.platform.storage.Database;

/// A bean that kills its service at the [CrashPoint] in the settings. A trial adds it to a service
/// with [toystore.clients.StoreProcesses#withBean]. It intercepts the commits of the database and
/// the responses to orders. Any thread.
@GlobalServerInterceptor
public final class CrashPoints implements BeanPostProcessor, ServerInterceptor {
  public static final String POINT = "crash.point";
  public static final String PASSAGE = "crash.passage";

  /// Exit code of a killed service, as after SIGKILL.
  public static final int KILLED = 128 + 9;

  private static final Set<String> METHODS = Set.of("PlaceOrder", "Sell");

  private final CrashPoint selected;
  private final AtomicLong remaining;

  /// A point at which a crash could leave an order incomplete.
  public enum CrashPoint {
    /// Before the commit of a batch.
    BEFORE_COMMIT,
    /// The batch is durable but not yet visible to readers.
    BEFORE_PUBLISHING,
    /// The batch is visible to readers, and a caller has no response yet. The order service has
    /// just received the catalog's response.
    BEFORE_ANSWER
  }

  /// @param passage the passage of the point at which to die, from 1
  CrashPoints(
      @Value("${" + POINT + "}") CrashPoint selected, @Value("${" + PASSAGE + "}") long passage) {
    this.selected = selected;
    this.remaining = new AtomicLong(passage);
  }

  /// Neither shutdown hooks nor finally blocks run.
  private void killIfReached(CrashPoint point) {
    if (point == selected && remaining.decrementAndGet() == 0) {
      System.err.println("killing this process at crash point " + point);
      Runtime.getRuntime().halt(KILLED);
    }
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (!(bean instanceof Database)) {
      return bean;
    }
    var proxy = new ProxyFactory(bean);
    proxy.addAdvice(
        (MethodInterceptor)
            call -> {
              if (!call.getMethod().getName().equals("commit") || call.getArguments().length > 0) {
                return call.proceed();
              }
              killIfReached(CrashPoint.BEFORE_COMMIT);
              Object result = call.proceed();
              killIfReached(CrashPoint.BEFORE_PUBLISHING);
              return result;
            });
    return proxy.getProxy();
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    return next.startCall(
        new SimpleForwardingServerCall<>(call) {
          @Override
          public void sendMessage(R answer) {
            if (METHODS.contains(getMethodDescriptor().getBareMethodName())) {
              killIfReached(CrashPoint.BEFORE_ANSWER);
            }
            super.sendMessage(answer);
          }
        },
        headers);
  }
}
