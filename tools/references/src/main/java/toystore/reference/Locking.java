package toystore.reference;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/// How threads share a map in memory. Any thread.
interface Locking {
  <T> T reading(Supplier<T> read);

  <T> T writing(Supplier<T> write);

  /// @param name `none`, `mutex`, `read-write` or `writer`
  static Locking of(String name) {
    return switch (name) {
      case "none" -> new Direct();
      case "mutex" -> {
        var lock = new ReentrantLock();
        yield new Locks(lock, lock);
      }
      case "read-write" -> {
        var lock = new ReentrantReadWriteLock();
        yield new Locks(lock.readLock(), lock.writeLock());
      }
      case "writer" ->
          new SingleThread(
              Executors.newSingleThreadExecutor(
                  Thread.ofPlatform().daemon().name("writer").factory()));
      default ->
          throw new IllegalArgumentException(
              "expected none, mutex, read-write or writer, got " + name);
    };
  }

  /// The map itself is safe.
  record Direct() implements Locking {
    @Override
    public <T> T reading(Supplier<T> read) {
      return read.get();
    }

    @Override
    public <T> T writing(Supplier<T> write) {
      return write.get();
    }
  }

  /// One lock for reads and one for writes; a mutex is both.
  record Locks(Lock forReads, Lock forWrites) implements Locking {
    @Override
    public <T> T reading(Supplier<T> read) {
      return holding(forReads, read);
    }

    @Override
    public <T> T writing(Supplier<T> write) {
      return holding(forWrites, write);
    }

    private static <T> T holding(Lock lock, Supplier<T> work) {
      lock.lock();
      try {
        return work.get();
      } finally {
        lock.unlock();
      }
    }
  }

  /// One thread makes all changes; reads take no lock.
  record SingleThread(ExecutorService writer) implements Locking {
    @Override
    public <T> T reading(Supplier<T> read) {
      return read.get();
    }

    @Override
    public <T> T writing(Supplier<T> write) {
      try {
        return writer.submit(write::get).get();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
    }
  }
}
