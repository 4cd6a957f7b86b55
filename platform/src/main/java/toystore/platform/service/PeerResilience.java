package toystore.platform.service;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.micrometer.tagged.TaggedBulkheadMetrics;
import io.github.resilience4j.micrometer.tagged.TaggedCircuitBreakerMetrics;
import io.github.resilience4j.micrometer.tagged.TaggedRetryMetrics;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.RetryRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import toystore.platform.rpc.BulkheadAndCircuitBreakerInterceptor;
import toystore.platform.rpc.OutcomeInterceptor;
import toystore.platform.rpc.Retries;

/// The circuit breakers, bulkheads and retries of a service's calls, one of each per called
/// service, and their metrics. Any thread.
public final class PeerResilience implements AutoCloseable {
  private static final int CALLS_WHILE_HALF_OPEN = 1;
  private static final double BACKOFF_MULTIPLIER = 2;
  private static final double JITTER = 0.5; // clients do not retry simultaneously

  private final Map<String, String> tags;
  private final BulkheadRegistry bulkheads;
  private final CircuitBreakerRegistry breakers;
  private final RetryRegistry retries;
  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("retry").factory());

  /// @param caller name of the calling service, a tag of its metrics, because services may share a
  ///   JVM
  /// @param bulkhead limit of concurrent calls to one service; further calls may wait only if the
  ///   caller's threads may block
  public PeerResilience(
      String caller, CallLimits limits, BulkheadConfig bulkhead, MeterRegistry metrics) {
    this.tags = Map.of("caller", caller);
    bulkheads = BulkheadRegistry.of(bulkhead);
    breakers =
        CircuitBreakerRegistry.of(
            CircuitBreakerConfig.custom()
                .slidingWindowSize(limits.breakerWindow())
                .minimumNumberOfCalls(
                    Math.ceilDiv(limits.breakerWindow() * limits.breakerFailureRate(), 100))
                .failureRateThreshold(limits.breakerFailureRate())
                .waitDurationInOpenState(limits.breakerOpen())
                .permittedNumberOfCallsInHalfOpenState(CALLS_WHILE_HALF_OPEN)
                .build());
    retries =
        RetryRegistry.of(
            RetryConfig.custom()
                .maxAttempts(limits.attempts())
                .intervalFunction(
                    IntervalFunction.ofExponentialRandomBackoff(
                        limits.retryPause(), BACKOFF_MULTIPLIER, JITTER))
                .retryOnException(Retries::isUnavailable)
                .build());
    TaggedBulkheadMetrics.ofBulkheadRegistry(bulkheads).bindTo(metrics);
    TaggedCircuitBreakerMetrics.ofCircuitBreakerRegistry(breakers).bindTo(metrics);
    TaggedRetryMetrics.ofRetryRegistry(retries).bindTo(metrics);
  }

  /// @param peer name of the called service, such as `catalog`
  BulkheadAndCircuitBreakerInterceptor interceptor(String peer) {
    return new BulkheadAndCircuitBreakerInterceptor(
        bulkheads.bulkhead(peer, tags), breakers.circuitBreaker(peer, tags));
  }

  /// @param calls the maximum number of calls in progress; further calls are refused at once
  Bulkhead bulkhead(String name, int calls) {
    return bulkheads.bulkhead(
        name,
        BulkheadConfig.custom().maxConcurrentCalls(calls).maxWaitDuration(Duration.ZERO).build(),
        tags);
  }

  Retries retries(String peer, OutcomeInterceptor outcomes) {
    return new Retries(retries.retry(peer, tags), outcomes, scheduler);
  }

  @Override
  public void close() {
    scheduler.shutdownNow();
  }
}
