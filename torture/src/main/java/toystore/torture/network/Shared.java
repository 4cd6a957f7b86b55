package toystore.torture.network;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import toystore.torture.network.HistoryClient.Keyed;

/// What [HistoryClient]s share: their history, and requests that others may repeat. Any thread.
final class Shared {
  final AtomicLong served = new AtomicLong();
  private final List<ProductGroup> groups;
  private final History history = new History();
  private final List<Keyed> left = new ArrayList<>();

  Shared(List<ProductGroup> groups) {
    this.groups = groups;
  }

  List<ProductGroup> groups() {
    return groups;
  }

  History history() {
    return history;
  }

  synchronized void leave(Keyed keyed) {
    left.add(keyed);
  }

  synchronized @Nullable Keyed any(SplittableRandom random) {
    return left.isEmpty() ? null : left.get(random.nextInt(left.size()));
  }
}
