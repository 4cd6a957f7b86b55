package toystore.bazaarlab;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/// Uses no lock. One thread drains a queue of changes, commits them together, publishes them in a
/// map that any thread reads, and then completes the callers. The services use the same design.
final class SingleWriterStockMap implements StockMap {
  private static final int QUEUE = 10_000;
  private static final int BATCH = 500;

  private final Map<Integer, Integer> published = new ConcurrentHashMap<>();
  private final BlockingQueue<Change> queue = new ArrayBlockingQueue<>(QUEUE);
  private final Disk disk;
  private final Thread writer;

  private record Change(int product, CompletableFuture<Void> done) {}

  SingleWriterStockMap(Disk disk) {
    this.disk = disk;
    this.writer = Thread.ofPlatform().daemon().name("writer").start(this::write);
  }

  @Override
  public int quantity(int product) {
    return published.getOrDefault(product, 0);
  }

  @Override
  public void add(int product) {
    var change = new Change(product, new CompletableFuture<>());
    try {
      queue.put(change);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    change.done.join();
  }

  private void write() {
    var batch = new ArrayList<Change>(BATCH);
    try {
      while (true) {
        batch.add(queue.take());
        queue.drainTo(batch, BATCH - 1);
        write(batch);
        batch.clear();
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(List<Change> batch) {
    try {
      disk.commit(batch.stream().map(Change::product).toList());
      batch.forEach(change -> published.merge(change.product, 1, Integer::sum));
      batch.forEach(change -> change.done.complete(null));
    } catch (IllegalStateException failed) {
      batch.forEach(change -> change.done.completeExceptionally(failed));
    }
  }

  @Override
  public void close() {
    writer.interrupt();
    boolean interrupted = false;
    while (writer.isAlive()) {
      try {
        writer.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
