package toystore.exchange.xml;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Heap that all connections share, such as that of large requests. Any thread.
final class BufferMemory {
  private final long bound;
  private final AtomicLong used = new AtomicLong();
  private final AtomicInteger waiting = new AtomicInteger();

  BufferMemory(long bound) {
    this.bound = bound;
  }

  /// Whether the bound allows these bytes. If so, release them later.
  boolean reserve(long bytes) {
    long before = used.get();
    while (before + bytes <= bound) {
      if (used.compareAndSet(before, before + bytes)) {
        return true;
      }
      before = used.get();
    }
    return false;
  }

  /// Like [#reserve(long)], but waits until the bound allows the bytes, or the time is over. A
  /// caller that waits must not have reserved bytes here, or all could wait for each other.
  boolean reserve(long bytes, long nanos) throws InterruptedException {
    if (reserve(bytes)) {
      return true;
    }
    long end = System.nanoTime() + nanos;
    waiting.incrementAndGet();
    try {
      synchronized (this) {
        while (!reserve(bytes)) {
          long left = end - System.nanoTime();
          if (left <= 0) {
            return false;
          }
          TimeUnit.NANOSECONDS.timedWait(this, left);
        }
      }
      return true;
    } finally {
      waiting.decrementAndGet();
    }
  }

  /// Counts bytes that are already in use, whatever the bound is. Release them later.
  void add(long bytes) {
    used.addAndGet(bytes);
  }

  void release(long bytes) {
    used.addAndGet(-bytes);
    if (waiting.get() > 0) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  /// Whether callers wait for bytes.
  boolean isAwaited() {
    return waiting.get() > 0;
  }

  boolean isExceeded() {
    return used.get() > bound;
  }

  /// The reserved and counted bytes.
  long used() {
    return used.get();
  }
}
