package toystore.torture.network;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// All requests with one key: to the store they are one, whoever sent them and how often. A request
/// whose key nobody was told is one by itself.
///
/// @param attempts at least one
record Errand(List<Attempt> attempts) {
  static List<Errand> of(List<Attempt> all) {
    Map<String, List<Attempt>> byKey = new LinkedHashMap<>();
    List<Errand> errands = new ArrayList<>();
    for (Attempt attempt : all) {
      if (attempt.key().isEmpty()) {
        errands.add(new Errand(List.of(attempt)));
      } else {
        byKey.computeIfAbsent(attempt.key(), _ -> new ArrayList<>()).add(attempt);
      }
    }
    byKey.values().forEach(it -> errands.add(new Errand(it)));
    return errands;
  }

  /// What it was answered, where it was.
  Optional<Attempt> decided() {
    return attempts.stream().filter(it -> it.said().isDecided()).findFirst();
  }

  /// Whether it may have been done without anybody having been told.
  boolean isOpen() {
    return decided().isEmpty() && attempts.stream().anyMatch(it -> mayBeDone(it));
  }

  private static boolean mayBeDone(Attempt attempt) {
    return attempt.said() == Attempt.Said.UNKNOWN || attempt.said() == Attempt.Said.OTHER;
  }

  /// When it can first have taken effect as this.
  long from(Wish wish) {
    return attempts.stream()
        .filter(it -> it.wish().equals(wish))
        .mapToLong(Attempt::call)
        .min()
        .orElseThrow();
  }

  /// When it must have taken effect: at the first answer that says so. No answer: never.
  long until() {
    return attempts.stream()
        .filter(it -> it.said().isDecided() || it.said() == Attempt.Said.OTHER)
        .mapToLong(Attempt::ret)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /// For the message of a promise that was broken.
  @Override
  public String toString() {
    return attempts.stream()
        .map(it ->
            "%d…%d ms, client %d, key %s: %s %s: %s"
                .formatted(
                    it.call() / 1_000_000,
                    it.ret() / 1_000_000,
                    it.client(),
                    it.key(),
                    it.wish().target(),
                    it.wish().body(),
                    it.answer()))
        .collect(Collectors.joining("\n", "\n", "\n"));
  }
}
