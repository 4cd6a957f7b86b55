package toystore.platform.service;

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
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import toystore.platform.rpc.CircuitBreakerInterceptor;
import toystore.platform.rpc.OutcomeInterceptor;
import toystore.platform.rpc.Retries;

/// The circuit breakers, bulkheads and retries of a service's calls, one of each for each service
/// it calls, and their metrics. Any thread.
public final class PeerResilience implements AutoCloseable {
  private static final int TRIES_WHILE_HALF_OPEN = 1;
  private static final double TWICE_AS_LONG = 2;
  private static final double SPREAD = 0.5; // so that clients do not repeat in step

  private final Map<String, String> tags;
  private final BulkheadRegistry bulkheads;
  private final CircuitBreakerRegistry breakers;
  private final RetryRegistry retries;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("retry").factory());

  /// @param caller the service that calls, for its metrics: services may share a JVM
  /// @param bulkhead the limit of calls in progress to one service; one more may wait only where
  ///   the caller's threads may block
  public PeerResilience(
      String caller, CallSettings settings, BulkheadConfig bulkhead, MeterRegistry metrics) {
    this.tags = Map.of("caller", caller);
    bulkheads = BulkheadRegistry.of(bulkhead);
    breakers =
        CircuitBreakerRegistry.of(
            CircuitBreakerConfig.custom()
                .slidingWindowSize(settings.breakerWindow())
                .minimumNumberOfCalls(
                    Math.ceilDiv(settings.breakerWindow() * settings.breakerFailureRate(), 100))
                .failureRateThreshold(settings.breakerFailureRate())
                .waitDurationInOpenState(settings.breakerOpen())
                .permittedNumberOfCallsInHalfOpenState(TRIES_WHILE_HALF_OPEN)
                .build());
    retries =
        RetryRegistry.of(
            RetryConfig.custom()
                .maxAttempts(settings.attempts())
                .intervalFunction(
                    IntervalFunction.ofExponentialRandomBackoff(
                        settings.retryPause(), TWICE_AS_LONG, SPREAD))
                .retryOnException(Retries::isUnavailable)
                .build());
    TaggedBulkheadMetrics.ofBulkheadRegistry(bulkheads).bindTo(metrics);
    TaggedCircuitBreakerMetrics.ofCircuitBreakerRegistry(breakers).bindTo(metrics);
    TaggedRetryMetrics.ofRetryRegistry(retries).bindTo(metrics);
  }

  /// @param peer the name of the service that is called, such as `catalog`
  CircuitBreakerInterceptor guard(String peer) {
    return new CircuitBreakerInterceptor(
        bulkheads.bulkhead(peer, tags), breakers.circuitBreaker(peer, tags));
  }

  Retries retries(String peer, OutcomeInterceptor calls) {
    return new Retries(retries.retry(peer, tags), calls, clock);
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
