package toystore.bazaarlab;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// Uses a read-write lock: many threads may read at a time while no thread writes.
final class ReadWriteLockStockMap implements StockMap {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Map<Integer, Integer> quantities = new HashMap<>();
  private final Disk disk;

  ReadWriteLockStockMap(Disk disk) {
    this.disk = disk;
  }

  @Override
  public int quantity(int product) {
    lock.readLock().lock();
    try {
      return quantities.getOrDefault(product, 0);
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public void add(int product) {
    lock.writeLock().lock();
    try {
      disk.commit(List.of(product));
      quantities.merge(product, 1, Integer::sum);
    } finally {
      lock.writeLock().unlock();
    }
  }
}
