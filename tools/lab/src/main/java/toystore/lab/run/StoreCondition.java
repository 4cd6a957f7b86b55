package toystore.lab.run;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What is switched while a store runs, written as a list such as `28 ms, updates`:
///
/// ```
/// 28 ms                    added to each round trip between clients and store
/// 5 ms between services    added to each round trip between two services
/// updates                  20 prices of stocks change a second
/// published                containers are called at the published port
/// 20 % buy                 the load client's, and the last: the probability of a follow-up
/// ```
public record StoreCondition(
    Duration distance, Duration betweenServices, boolean updates, boolean published) {
  private static final Pattern DISTANCE =
      Pattern.compile("(\\d+(?:\\.\\d+)?) ms( between services)?");

  private static final Pattern FOLLOW_UP = Pattern.compile("(?:, |^)(\\d+) % [a-z-]+$");

  /// The probability of a follow-up in a condition, 0 to 1.
  public static double probability(String condition) {
    Matcher followUp = FOLLOW_UP.matcher(condition);
    return followUp.find() ? Double.parseDouble(followUp.group(1)) / 100 : 0;
  }

  public static String withoutFollowUp(String condition) {
    return FOLLOW_UP.matcher(condition).replaceFirst("");
  }

  /// @throws IOException with what was expected
  static StoreCondition parse(String text) throws IOException {
    var distance = Duration.ZERO;
    var betweenServices = Duration.ZERO;
    String switched = withoutFollowUp(text);
    List<String> parts = switched.isEmpty() ? List.of() : List.of(switched.split(", ", -1));
    for (String part : parts) {
      Matcher added = DISTANCE.matcher(part);
      if (added.matches()) {
        var time = Duration.ofNanos(Math.round(Double.parseDouble(added.group(1)) * 1e6));
        if (added.group(2) == null) {
          distance = time;
        } else {
          betweenServices = time;
        }
      } else if (!List.of("updates", "published").contains(part)) {
        throw new IOException(
            "expected N ms, N ms between services, updates, published or N % KIND, got \""
                + part
                + "\"");
      }
    }
    return new StoreCondition(
        distance, betweenServices, parts.contains("updates"), parts.contains("published"));
  }
}
