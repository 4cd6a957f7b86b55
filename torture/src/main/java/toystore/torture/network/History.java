package toystore.torture.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What all clients asked and were answered, on one clock. Any thread.
final class History {
  private final long begin = System.nanoTime();
  private final Queue<Attempt> attempts = new ConcurrentLinkedQueue<>();

  /// Nanoseconds since it began.
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

  /// How many were answered so.
  long count(Attempt.Said said) {
    return attempts.stream().filter(it -> it.said() == said).count();
  }

  /// Writes it down for the checker of histories. What was surely not done is left out: if it was
  /// done all the same, the rest cannot be explained.
  void write(Path file, List<Shelf> shelves) throws IOException {
    Stream<String> starts =
        shelves.stream()
            .map(it ->
                "{\"op\":\"start\",\"shelf\":\"%s\",\"lines\":[%s]}"
                    .formatted(
                        it.name(),
                        it.toys().stream()
                            .map(toy -> Attempt.line(toy, it.stock()))
                            .collect(Collectors.joining(","))));
    Stream<String> events =
        attempts.stream()
            .filter(it -> it.said() != Attempt.Said.NOT_DONE)
            .filter(it -> !(it.wish() instanceof Wish.Look && it.said() != Attempt.Said.HAS))
            .map(Attempt::toJson);
    Files.write(file, Stream.concat(starts, events).toList());
  }
}
