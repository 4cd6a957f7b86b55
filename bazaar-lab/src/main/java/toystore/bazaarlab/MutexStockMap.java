package toystore.bazaarlab;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/// Uses one lock for reads and writes.
final class MutexStockMap implements StockMap {
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Integer, Integer> quantities = new HashMap<>();
  private final Disk disk;

  MutexStockMap(Disk disk) {
    this.disk = disk;
  }

  @Override
  public int quantity(int product) {
    lock.lock();
    try {
      return quantities.getOrDefault(product, 0);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void add(int product) {
    lock.lock();
    try {
      disk.commit(List.of(product));
      quantities.merge(product, 1, Integer::sum);
    } finally {
      lock.unlock();
    }
  }
}
