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

/// A fixed number of threads with a queue. Idle threads sleep and use no CPU. Any thread may offer
/// tasks.
public final class WorkerPool implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WorkerPool.class);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition workAvailable = lock.newCondition();
  private final Queue<Task> queue = new ArrayDeque<>();
  private final List<Thread> threads = new ArrayList<>();
  private final int bound;
  private final QueueTimeListener listener;
  private int busy;
  private boolean closed;

  /// Receives the time that each task waited in the queue.
  @FunctionalInterface
  public interface QueueTimeListener {
    void waited(long nanos);
  }

  private record Task(Runnable run, long offeredNanos) {}

  /// @param bound maximum number of waiting tasks
  public WorkerPool(String name, int size, int bound, QueueTimeListener listener) {
    this.bound = bound;
    this.listener = listener;
    for (int i = 0; i < size; i++) {
      threads.add(Thread.ofPlatform().name(name + "-" + i).start(this::work));
    }
  }

  /// Queues a task, unless the queue is full or the pool is closed.
  ///
  /// @return whether it was queued
  boolean offer(Runnable run) {
    lock.lock();
    try {
      if (closed || queue.size() == bound) {
        return false;
      }
      queue.add(new Task(run, System.nanoTime()));
      workAvailable.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// Number of waiting tasks.
  public int waiting() {
    lock.lock();
    try {
      return queue.size();
    } finally {
      lock.unlock();
    }
  }

  /// Number of busy threads.
  public int busy() {
    lock.lock();
    try {
      return busy;
    } finally {
      lock.unlock();
    }
  }

  /// Interrupts running tasks, discards waiting tasks, and ends the threads.
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      queue.clear();
      workAvailable.signalAll();
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
    for (Task task = takeTask(); task != null; task = takeTask()) {
      try {
        listener.waited(System.nanoTime() - task.offeredNanos);
        task.run.run();
      } catch (RuntimeException e) {
        log.error("unexpected exception while handling a request of the line protocol", e);
      } finally {
        taskDone();
      }
    }
  }

  /// @return null if the pool is closed
  private @Nullable Task takeTask() {
    lock.lock();
    try {
      while (queue.isEmpty() && !closed) {
        workAvailable.awaitUninterruptibly();
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

  private void taskDone() {
    lock.lock();
    try {
      busy--;
    } finally {
      lock.unlock();
    }
  }
}
