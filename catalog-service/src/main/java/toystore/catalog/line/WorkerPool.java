package toystore.catalog.line;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A fixed number of threads with a queue. Idle threads sleep and use no CPU. Any thread may offer
/// tasks.
public final class WorkerPool implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WorkerPool.class);

  private final ThreadPoolExecutor threads;
  private final QueueTimeListener listener;

  /// Receives the time that each task waited in the queue.
  @FunctionalInterface
  public interface QueueTimeListener {
    void waited(long nanos);
  }

  /// @param bound maximum number of waiting tasks
  public WorkerPool(String name, int size, int bound, QueueTimeListener listener) {
    this.listener = listener;
    this.threads =
        new ThreadPoolExecutor(
            size,
            size,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(bound),
            Thread.ofPlatform().name(name + "-", 0).factory());
    threads.prestartAllCoreThreads(); // so that each task waits in the queue
  }

  /// Queues a task, unless the queue is full or the pool is closed.
  ///
  /// @return whether it was queued
  boolean offer(Runnable run) {
    long offered = System.nanoTime();
    try {
      threads.execute(() -> work(run, offered));
      return true;
    } catch (RejectedExecutionException full) {
      return false;
    }
  }

  private void work(Runnable run, long offered) {
    try {
      listener.waited(System.nanoTime() - offered);
      run.run();
    } catch (RuntimeException e) {
      log.error("unexpected exception while handling a request of the line protocol", e);
    }
  }

  /// Number of waiting tasks.
  public int waiting() {
    return threads.getQueue().size();
  }

  /// Number of busy threads.
  public int busy() {
    return threads.getActiveCount();
  }

  /// Interrupts running tasks, discards waiting tasks, and ends the threads.
  @Override
  public void close() {
    threads.shutdownNow();
    threads.close();
  }
}
