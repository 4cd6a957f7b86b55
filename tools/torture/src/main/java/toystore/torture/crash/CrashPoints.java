package toystore.torture.crash;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.grpc.client.GlobalClientInterceptor;
import org.springframework.grpc.server.GlobalServerInterceptor;
import toystore.platform.storage.Database;

/// A bean that kills its service at the [CrashPoint] in the settings. A trial adds it to a service
/// with [toystore.clients.StoreProcesses#withBean]. It intercepts the commits of the database and
/// the responses to orders. Any thread.
@GlobalServerInterceptor
@GlobalClientInterceptor
public final class CrashPoints implements BeanPostProcessor, ServerInterceptor, ClientInterceptor {
  public static final String POINT = "crash.point";
  public static final String PASSAGE = "crash.passage";

  /// Exit code of a killed service, as after SIGKILL.
  public static final int KILLED = 128 + 9;

  private static final Set<String> METHODS = Set.of("PlaceOrder", "Sell");

  private final CrashPoint selected;
  private final AtomicLong remaining;

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
              if (!call.getMethod().getName().equals("commit")) {
                return call.proceed();
              }
              killIfReached(CrashPoint.BEFORE_COMMIT);
              Object result = call.proceed();
              killIfReached(CrashPoint.BEFORE_PUBLISHING);
              return result;
            });
    return proxy.getProxy();
  }

  private void killIfAnswered(MethodDescriptor<?, ?> method) {
    if (METHODS.contains(method.getBareMethodName())) {
      killIfReached(CrashPoint.BEFORE_ANSWER);
    }
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    return next.startCall(
        new SimpleForwardingServerCall<>(call) {
          @Override
          public void sendMessage(R answer) {
            killIfAnswered(getMethodDescriptor());
            super.sendMessage(answer);
          }
        },
        headers);
  }

  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void start(Listener<R> listener, Metadata headers) {
        super.start(
            new SimpleForwardingClientCallListener<>(listener) {
              @Override
              public void onMessage(R answer) {
                killIfAnswered(method);
                super.onMessage(answer);
              }
            },
            headers);
      }
    };
  }
}
