package toystore.torture.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import toystore.torture.network.Attempt.Outcome;
import toystore.torture.network.HistoryClient.Keyed;

/// All attempts of all clients on one clock, and requests that other clients may retry. Any thread.
final class History {
  /// The number of requests that clients have finished.
  final AtomicLong served = new AtomicLong();

  private final long begin = System.nanoTime();
  private final List<ProductGroup> groups;
  private final List<Keyed> left = new ArrayList<>();
  private final Queue<Attempt> attempts = new ConcurrentLinkedQueue<>();

  History(List<ProductGroup> groups) {
    this.groups = groups;
  }

  List<ProductGroup> groups() {
    return groups;
  }

  synchronized void remember(Keyed keyed) {
    left.add(keyed);
  }

  synchronized @Nullable Keyed any(SplittableRandom random) {
    return left.isEmpty() ? null : left.get(random.nextInt(left.size()));
  }

  /// Nanoseconds since the history began.
  long now() {
    return System.nanoTime() - begin;
  }

  void add(Attempt attempt) {
    attempts.add(attempt);
  }

  int size() {
    return attempts.size();
  }

  List<Attempt> attempts() {
    return List.copyOf(attempts);
  }

  /// The number of attempts with this outcome.
  long count(Outcome outcome) {
    return attempts.stream().filter(it -> it.outcome() == outcome).count();
  }

  /// Writes the file for the history checker. Attempts that were certainly not executed are left
  /// out: if one was executed after all, the remaining history is not linearizable.
  void write(Path file) throws IOException {
    Stream<String> starts = groups.stream().map(History::start);
    Stream<String> events =
        attempts.stream()
            .filter(it -> it.outcome() != Outcome.NOT_DONE)
            .filter(it ->
                !(it.request() instanceof RecordedRequest.Query && it.outcome() != Outcome.STOCK))
            .map(Attempt::toJson);
    Files.write(file, Stream.concat(starts, events).toList());
  }

  private static String start(ProductGroup group) {
    var json = JsonMapper.shared().createObjectNode();
    json.put("op", "start").put("shelf", group.name());
    Attempt.put(
        json,
        group.products().stream().map(it -> new RecordedRequest.Line(it, group.stock())).toList());
    return json.toString();
  }
}
