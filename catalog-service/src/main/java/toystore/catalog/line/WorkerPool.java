package toystore.catalog.line;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A fixed number of threads and a queue before them. A thread that has nothing to do sleeps until
/// there is something: an idle pool takes no CPU. Any thread may offer.
public final class WorkerPool implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WorkerPool.class);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Queue<Task> queue = new ArrayDeque<>();
  private final List<Thread> threads = new ArrayList<>();
  private final int bound;
  private final Watch watch;
  private int busy;
  private boolean closed;

  /// Told how long each task waited for its thread.
  @FunctionalInterface
  public interface Watch {
    void waited(long nanos);
  }

  private record Task(Runnable run, long offeredNanos) {}

  /// @param bound tasks that may wait
  public WorkerPool(String name, int size, int bound, Watch watch) {
    this.bound = bound;
    this.watch = watch;
    for (int i = 0; i < size; i++) {
      threads.add(Thread.ofPlatform().name(name + "-" + i).start(this::work));
    }
  }

  /// Queues a task, unless as many wait as may, or the pool is closed.
  ///
  /// @return whether it was queued
  boolean offer(Runnable run) {
    lock.lock();
    try {
      if (closed || queue.size() == bound) {
        return false;
      }
      queue.add(new Task(run, System.nanoTime()));
      work.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// Tasks that wait for a thread.
  public int waiting() {
    lock.lock();
    try {
      return queue.size();
    } finally {
      lock.unlock();
    }
  }

  /// Threads that are at work.
  public int busy() {
    lock.lock();
    try {
      return busy;
    } finally {
      lock.unlock();
    }
  }

  /// Interrupts the tasks that run, forgets those that wait, and ends the threads.
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      queue.clear();
      work.signalAll();
    } finally {
      lock.unlock();
    }
    threads.forEach(Thread::interrupt);
    boolean interrupted = false;
    for (Thread thread : threads) {
      interrupted |= !ended(thread);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean ended(Thread thread) {
    try {
      thread.join();
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  private void work() {
    for (Task task = take(); task != null; task = take()) {
      try {
        watch.waited(System.nanoTime() - task.offeredNanos);
        task.run.run();
      } catch (RuntimeException e) {
        log.error("a request failed", e);
      } finally {
        done();
      }
    }
  }

  /// @return null: the pool is closed
  private @Nullable Task take() {
    lock.lock();
    try {
      while (queue.isEmpty() && !closed) {
        work.awaitUninterruptibly();
      }
      Task task = queue.poll();
      if (task != null) {
        busy++;
      }
      return task;
    } finally {
      lock.unlock();
    }
  }

  private void done() {
    lock.lock();
    try {
      busy--;
    } finally {
      lock.unlock();
    }
  }
}
