package toystore.torture.network;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import toystore.torture.network.Attempt.Outcome;

/// All attempts with one key: the store treats them as one request, whoever sends them. An attempt
/// with an unknown key is an operation by itself.
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

  /// The first attempt with a final response, if any.
  Optional<Attempt> decided() {
    return attempts.stream().filter(it -> it.outcome().isDecided()).findFirst();
  }

  /// Whether it may have been executed although no client received the response.
  boolean isOpen() {
    return decided().isEmpty()
        && attempts.stream()
            .map(Attempt::outcome)
            .anyMatch(it -> it == Outcome.UNKNOWN || it == Outcome.KEY_CONFLICT);
  }

  /// The attempts as lines for assertion messages.
  @Override
  public String toString() {
    return attempts.stream().map(Attempt::toString).collect(Collectors.joining("\n", "\n", "\n"));
  }
}
