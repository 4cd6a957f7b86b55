package toystore.torture.network;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import toystore.torture.network.Attempt.Outcome;

/// All attempts with one key: to the store they are one, whoever sent them and how often. An
/// attempt whose key nobody was told is one by itself.
///
/// @param attempts at least one
record Operation(List<Attempt> attempts) {
  static List<Operation> of(List<Attempt> all) {
    Map<String, List<Attempt>> byKey = new LinkedHashMap<>();
    List<Operation> operations = new ArrayList<>();
    for (Attempt attempt : all) {
      if (attempt.key().isEmpty()) {
        operations.add(new Operation(List.of(attempt)));
      } else {
        byKey.computeIfAbsent(attempt.key(), _ -> new ArrayList<>()).add(attempt);
      }
    }
    byKey.values().forEach(it -> operations.add(new Operation(it)));
    return operations;
  }

  /// What it was answered, where it was.
  Optional<Attempt> decided() {
    return attempts.stream().filter(it -> it.outcome().isDecided()).findFirst();
  }

  /// The same, where the answer was this.
  Optional<Attempt> decidedAs(Outcome outcome) {
    return decided().filter(it -> it.outcome() == outcome);
  }

  /// Whether it may have been done without anybody having been told.
  boolean isOpen() {
    return decided().isEmpty()
        && attempts.stream()
            .map(Attempt::outcome)
            .anyMatch(it -> it == Outcome.UNKNOWN || it == Outcome.KEY_CONFLICT);
  }

  /// When it can first have taken effect as this.
  long from(RecordedRequest request) {
    return attempts.stream()
        .filter(it -> it.request().equals(request))
        .mapToLong(Attempt::call)
        .min()
        .orElseThrow();
  }

  /// When it must have taken effect: at the first answer that says so. No answer: never.
  long until() {
    return attempts.stream()
        .filter(it -> it.outcome().isAnswer())
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
                    it.request().target(),
                    it.request().body(),
                    it.answer()))
        .collect(Collectors.joining("\n", "\n", "\n"));
  }
}
