package toystore.exchange.xml;

import java.util.concurrent.atomic.AtomicLong;

/// The heap that all connections together use for large requests and answers. Any thread.
final class BufferMemory {
  private final long bound;
  private final AtomicLong used = new AtomicLong();

  BufferMemory(long bound) {
    this.bound = bound;
  }

  /// Whether the bound allows these bytes. If so, release them later.
  boolean reserve(long bytes) {
    if (used.addAndGet(bytes) <= bound) {
      return true;
    }
    release(bytes);
    return false;
  }

  /// Counts bytes that are already in use, whatever the bound is. Release them later.
  void add(long bytes) {
    used.addAndGet(bytes);
  }

  void release(long bytes) {
    used.addAndGet(-bytes);
  }

  boolean isExceeded() {
    return used.get() > bound;
  }

  boolean isUnused() {
    return used.get() == 0;
  }
}
