package toystore.bazaarlab;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// Many may read at a time, while nobody writes.
final class ReadWriteShelf implements Shelf {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Map<Integer, Integer> pieces = new HashMap<>();
  private final Disk disk;

  ReadWriteShelf(Disk disk) {
    this.disk = disk;
  }

  @Override
  public int pieces(int product) {
    lock.readLock().lock();
    try {
      return pieces.getOrDefault(product, 0);
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public void add(int product) {
    lock.writeLock().lock();
    try {
      disk.commit(List.of(product));
      pieces.merge(product, 1, Integer::sum);
    } finally {
      lock.writeLock().unlock();
    }
  }
}
