package toystore.exchange.xml;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Heap that all connections share. Any thread.
final class BufferMemory {
  private final long bound;
  private final AtomicLong used = new AtomicLong();
  private final AtomicInteger waiting = new AtomicInteger();

  BufferMemory(long bound) {
    this.bound = bound;
  }

  /// Whether the bound allows the bytes. If so, release them later.
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

  /// Waits until the bound allows the bytes, or the time is over. A caller that waits must have
  /// reserved none here, or all could wait for each other.
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

  /// Counts bytes in use, whatever the bound is. Release them later.
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

  boolean isAwaited() {
    return waiting.get() > 0;
  }

  boolean isExceeded() {
    return used.get() > bound;
  }

  /// Also the counted bytes.
  long used() {
    return used.get();
  }
}
