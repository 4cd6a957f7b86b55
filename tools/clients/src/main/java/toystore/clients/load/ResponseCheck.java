package toystore.clients.load;

import static toystore.common.RootLocale.format;

import com.google.protobuf.InvalidProtocolBufferException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Checks the responses to the requests of one kind. Any thread.
final class ResponseCheck {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final Pattern ATTRIBUTE = Pattern.compile("([a-z]+)=\"([^\"]*)\"");
  private static final Pattern WHOLE_NUMBER = Pattern.compile("-?\\d{1,18}");
  private static final Set<String> OF_LINES = Set.of("line", "xml");
  private static final int MAX_SEEN = 100_000;
  private static final int MAX_EXAMPLE = 200;
  private static final Verdict CORRECT = new Verdict.Correct();

  private final Scenario.Check check;
  private final boolean isStatusOnly;
  private final String scheme;

  /// The unique values of the last responses.
  private final Set<String> seen =
      Collections.synchronizedSet(
          Collections.newSetFromMap(
              new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                  return size() > MAX_SEEN;
                }
              }));

  /// @param scheme of the URL
  ResponseCheck(Scenario.Check check, String scheme) {
    this.check = check;
    this.isStatusOnly = check.equals(Scenario.Check.of(check.status()));
    this.scheme = scheme;
  }

  /// @param messages of the method, if it is one of gRPC
  /// @param expected replaces the variables of an expected value
  /// @param highest the highest number of the client so far; null: it does not wait for responses
  Verdict verdict(
      LoadConnection.Response response,
      @Nullable GrpcMessages messages,
      UnaryOperator<String> expected,
      @Nullable AtomicLong highest) {
    boolean isOfStatus = response.status() == check.status();
    if (isOfStatus && isStatusOnly) {
      return CORRECT;
    }
    try {
      String text = isOfStatus ? text(response, messages) : response.text();
      for (Scenario.RefusalPattern refusal : check.refusals()) {
        if (refusal.matches(response.status(), text)) {
          return new Verdict.Refused(refusal.name(), brief(text));
        }
      }
      String fault =
          isOfStatus
              ? fault(body(text), expected, highest)
              : format("status %d, expected %d", response.status(), check.status());
      return fault == null ? CORRECT : new Verdict.Wrong(fault, brief(text));
    } catch (JacksonException | InvalidProtocolBufferException e) {
      return new Verdict.Wrong("response is not JSON", brief(response.text()));
    }
  }

  String text(LoadConnection.Response response, @Nullable GrpcMessages messages)
      throws InvalidProtocolBufferException {
    return messages == null ? response.text() : messages.response(response.body());
  }

  /// The response as JSON; of a line its attributes, such as `id="7"`.
  JsonNode body(String text) {
    if (!OF_LINES.contains(scheme)) {
      return JSON.readTree(text);
    }
    var attributes = JSON.createObjectNode();
    ATTRIBUTE.matcher(text).results().forEach(it -> attributes.put(it.group(1), it.group(2)));
    return attributes;
  }

  /// Returns what is wrong with a response; null if it is as expected.
  private @Nullable String fault(
      JsonNode body, UnaryOperator<String> expected, @Nullable AtomicLong highest) {
    for (String pointer : check.present()) {
      if (body.at(pointer).isMissingNode() || body.at(pointer).isNull()) {
        return field(pointer) + " missing";
      }
    }
    for (String pointer : check.absent()) {
      if (!body.at(pointer).isMissingNode()) {
        return pointer + " unexpected";
      }
    }
    for (Map.Entry<String, String> equal : check.equal().entrySet()) {
      String value = expected.apply(equal.getValue());
      if (!body.at(equal.getKey()).asString("").equals(value)) {
        return field(equal.getKey()) + " is not " + value;
      }
    }
    String growing = check.growing();
    String fault = growing == null ? null : numberFault(growing, body.at(growing), highest);
    String unique = check.unique();
    return fault == null && unique != null ? repetition(unique, body.at(unique)) : fault;
  }

  private @Nullable String numberFault(
      String pointer, JsonNode value, @Nullable AtomicLong highest) {
    String text = value.asString("");
    boolean isText = value.isString() && scheme.startsWith("http"); // elsewhere numbers are texts
    if (isText || !WHOLE_NUMBER.matcher(text).matches()) {
      return field(pointer) + " missing";
    }
    long number = Long.parseLong(text);
    if (highest != null && highest.getAndAccumulate(number, Math::max) >= number) {
      return field(pointer) + " not greater than the previous one";
    }
    return repetition(pointer, value);
  }

  private @Nullable String repetition(String pointer, JsonNode value) {
    return seen.add(value.asString("")) ? null : field(pointer) + " was returned twice";
  }

  private static String field(String pointer) {
    return pointer.substring(pointer.lastIndexOf('/') + 1);
  }

  private static String brief(String response) {
    String text = response.strip();
    return text.length() <= MAX_EXAMPLE ? text : text.substring(0, MAX_EXAMPLE) + "…";
  }
}
