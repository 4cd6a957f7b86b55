package toystore.cli.load;

import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import toystore.cli.shop.HttpStore;

/// Checks the responses to one load client. One thread.
final class ResponseCheck {
  /// The result of the check of a response.
  sealed interface Verdict {
    /// The expected response.
    record Correct() implements Verdict {}

    /// A valid refusal, such as "sold out".
    record Refused(String why) implements Verdict {}

    /// Any other response, with its kind ("status 503") and its text.
    record Wrong(String kind, String example) implements Verdict {
      static Wrong of(String kind, String answer) {
        var body = answer.strip();
        return new Wrong(
            kind, body.length() > EXAMPLE_LENGTH ? body.substring(0, EXAMPLE_LENGTH) + "…" : body);
      }
    }

    /// The expected response if the condition holds.
    ///
    /// @param otherwise what is wrong if it does not
    static Verdict of(boolean expected, String otherwise, Object answer) {
      return expected ? new Correct() : Wrong.of(otherwise, answer.toString());
    }
  }

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final int EXAMPLE_LENGTH = 200;

  private long lastNumber = -1;

  /// Checks the status, and the body as the function does.
  Verdict json(int status, HttpStore.Answer answer, Function<JsonNode, Verdict> check) {
    return answer.status() == status
        ? check.apply(tree(answer))
        : Verdict.Wrong.of("status " + answer.status(), answer.body());
  }

  /// Checks the status and a number: a client that waits for each response must see increasing
  /// numbers.
  ///
  /// @param pointer where the number is, such as `/data/order_number`
  Verdict growing(int status, HttpStore.Answer answer, String pointer) {
    return json(status, answer, body -> growing(body.at(pointer), pointer, answer.body()));
  }

  private Verdict growing(JsonNode number, String pointer, String answer) {
    var field = pointer.substring(pointer.lastIndexOf('/') + 1);
    return number.isIntegralNumber() && number.asLong() >= 0
        ? growing(field, number.asLong(), answer)
        : Verdict.Wrong.of(field + " missing", answer);
  }

  /// @param number must be greater than that of the previous response
  Verdict growing(String field, long number, String answer) {
    if (number <= lastNumber) {
      return Verdict.Wrong.of(field + " not greater than the previous one", answer);
    }
    lastNumber = number;
    return new Verdict.Correct();
  }

  /// The body; a missing node if it is no JSON.
  private static JsonNode tree(HttpStore.Answer answer) {
    try {
      return JSON.readTree(answer.body());
    } catch (JacksonException noJson) {
      return JSON.missingNode();
    }
  }
}
