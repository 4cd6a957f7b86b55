package toystore.cli;

import java.util.function.Predicate;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Checks the responses to one load client. One thread.
final class ResponseCheck {
  /// The result of the check of a response.
  sealed interface Verdict {
    /// The expected response.
    record Correct() implements Verdict {}

    /// A valid refusal, such as "sold out".
    record Refused(String why) implements Verdict {}

    /// Any other response, with its kind ("status 503") and its text.
    record Wrong(String kind, String example) implements Verdict {}
  }

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final int EXAMPLE_LENGTH = 200;

  private long lastNumber = -1;

  Verdict query(String product, HttpStoreTarget.Answer answer) {
    if (answer.status() != 200) {
      return wrong("status " + answer.status(), answer);
    }
    var data = data(answer);
    if (!data.path("name").isString() || !data.path("name").asString().equals(product)) {
      return wrong("response is not product " + product, answer);
    }
    if (!data.path("price").isNumber() || !data.path("quantity").isIntegralNumber()) {
      return wrong("price or quantity missing", answer);
    }
    return new Verdict.Correct();
  }

  /// Checks the shape and the number: a client that waits for each response must see increasing
  /// numbers.
  ///
  /// @param field the JSON field with the number
  Verdict sale(String field, HttpStoreTarget.Answer answer) {
    if (answer.status() == 409) {
      return new Verdict.Refused(answer.body().contains("is suspended") ? "suspended" : "sold out");
    }
    if (answer.status() != 200) {
      return wrong("status " + answer.status(), answer);
    }
    return growing(data(answer).path(field), field, answer);
  }

  /// Checks that a field of a response without the envelope is a number that grows.
  Verdict growing(int status, HttpStoreTarget.Answer answer, String field) {
    return answer.status() == status
        ? growing(tree(answer).path(field), field, answer)
        : wrong("status " + answer.status(), answer);
  }

  /// Checks a response without the envelope.
  ///
  /// @param otherwise what is wrong if the body is not as expected
  Verdict json(
      int status, HttpStoreTarget.Answer answer, String otherwise, Predicate<JsonNode> expected) {
    if (answer.status() != status) {
      return wrong("status " + answer.status(), answer);
    }
    return expected.test(tree(answer)) ? new Verdict.Correct() : wrong(otherwise, answer);
  }

  private Verdict growing(JsonNode number, String field, HttpStoreTarget.Answer answer) {
    if (!number.isIntegralNumber() || number.asLong() < 0) {
      return wrong(field + " missing", answer);
    }
    return growing(field, number.asLong(), answer.body());
  }

  /// @param number must be greater than that of the previous response
  Verdict growing(String field, long number, String answer) {
    if (number <= lastNumber) {
      return new Verdict.Wrong(field + " not greater than the previous one", shortened(answer));
    }
    lastNumber = number;
    return new Verdict.Correct();
  }

  private static JsonNode data(HttpStoreTarget.Answer answer) {
    return tree(answer).path("data");
  }

  private static JsonNode tree(HttpStoreTarget.Answer answer) {
    try {
      return JSON.readTree(answer.body());
    } catch (JacksonException noJson) {
      return JSON.missingNode();
    }
  }

  private static Verdict wrong(String kind, HttpStoreTarget.Answer answer) {
    return new Verdict.Wrong(kind, shortened(answer.body()));
  }

  /// The beginning of a response, for an example.
  static String shortened(String answer) {
    var body = answer.strip();
    return body.length() > EXAMPLE_LENGTH ? body.substring(0, EXAMPLE_LENGTH) + "…" : body;
  }
}
