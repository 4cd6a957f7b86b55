package toystore.bazaarlab;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/// One lock for all that is done.
final class MutexShelf implements Shelf {
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Integer, Integer> pieces = new HashMap<>();
  private final Disk disk;

  MutexShelf(Disk disk) {
    this.disk = disk;
  }

  @Override
  public int pieces(int product) {
    lock.lock();
    try {
      return pieces.getOrDefault(product, 0);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void add(int product) {
    lock.lock();
    try {
      disk.commit(List.of(product));
      pieces.merge(product, 1, Integer::sum);
    } finally {
      lock.unlock();
    }
  }
}
