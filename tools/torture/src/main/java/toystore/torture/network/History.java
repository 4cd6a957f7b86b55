package toystore.torture.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;
import toystore.torture.network.Attempt.Outcome;
import toystore.torture.network.HistoryClient.Keyed;
import toystore.torture.network.RecordedRequest.Line;
import toystore.torture.network.RecordedRequest.RequestKind;

/// All attempts of all clients on one clock, and requests that other clients may retry. Any thread.
final class History {
  private final long begin = System.nanoTime();
  private final List<ProductGroup> groups;
  private final List<Keyed> left = new CopyOnWriteArrayList<>();
  private final Queue<Attempt> attempts = new ConcurrentLinkedQueue<>();

  History(List<ProductGroup> groups) {
    this.groups = groups;
  }

  List<ProductGroup> groups() {
    return groups;
  }

  void remember(Keyed keyed) {
    left.add(keyed);
  }

  /// One of the remembered requests, or none.
  List<Keyed> any(SplittableRandom random) {
    int count = left.size();
    return count == 0 ? List.of() : List.of(left.get(random.nextInt(count)));
  }

  /// Nanoseconds since the history began.
  long now() {
    return System.nanoTime() - begin;
  }

  void add(Attempt attempt) {
    attempts.add(attempt);
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
    Stream<Map<String, Object>> starts = groups.stream().map(History::start);
    Stream<Map<String, Object>> events =
        attempts.stream()
            .filter(it -> it.outcome() != Outcome.NOT_DONE)
            .filter(it -> it.request().kind() != RequestKind.LOOK || it.outcome() == Outcome.STOCK)
            .map(Attempt::toEvent);
    Files.write(
        file, Stream.concat(starts, events).map(JsonMapper.shared()::writeValueAsString).toList());
  }

  private static Map<String, Object> start(ProductGroup group) {
    List<Line> lines = group.products().stream().map(it -> new Line(it, group.stock())).toList();
    return Map.of("op", "start", "shelf", group.name(), "lines", lines);
  }
}
