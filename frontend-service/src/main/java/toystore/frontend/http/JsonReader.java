package toystore.frontend.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/// Reads a JSON object (RFC 8259) with Jackson's parser. Its values are maps, lists, strings,
/// booleans, nulls and [JsonNumber]s. Every error is an [ApiException] (400). It does not quote the
/// body, apart from the names of fields, and does not contain texts of the parser.
final class JsonReader {
  private static final JsonFactory JSON = new JsonFactory();
  private static final StreamReadConstraints LIMITS = JSON.streamReadConstraints();
  private static final String INVALID = "request body is not valid JSON: ";

  /// A number as the client wrote it. A `BigDecimal` of it can be too large to compute with.
  record JsonNumber(String text) {}

  private JsonReader() {}

  static Map<String, @Nullable Object> readObject(byte[] body) {
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), decode(body))) {
      JsonToken first = parser.nextToken();
      if (first != JsonToken.START_OBJECT) {
        throw ApiException.badRequest("request body must be a JSON object, " + describe(first));
      }
      Map<String, @Nullable Object> object = object(parser);
      if (parser.nextToken() != null) {
        throw ApiException.badRequest(INVALID + "more text after its end, " + place(parser));
      }
      return object;
    } catch (StreamConstraintsException e) {
      throw ApiException.badRequest(
          String.format(
              Locale.ROOT,
              "request body must have at most %d levels, %d characters in a number and %d in a name",
              LIMITS.getMaxNestingDepth(),
              LIMITS.getMaxNumberLength(),
              LIMITS.getMaxNameLength()));
    } catch (JacksonException e) {
      throw ApiException.badRequest(INVALID + "error " + place(e.getLocation()));
    }
  }

  private static String decode(byte[] body) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      throw ApiException.badRequest("request body is not valid UTF-8");
    }
  }

  /// Reads the rest of an object. The parser limits the depth of the recursion.
  private static Map<String, @Nullable Object> object(JsonParser parser) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = text(parser);
      parser.nextToken();
      if (fields.containsKey(name)) {
        throw ApiException.badRequest(
            INVALID + String.format(Locale.ROOT, "duplicate field \"%s\"", JsonBody.shorten(name)));
      }
      fields.put(name, value(parser));
    }
    return fields;
  }

  private static List<@Nullable Object> array(JsonParser parser) {
    var items = new ArrayList<@Nullable Object>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(value(parser));
    }
    return items;
  }

  private static @Nullable Object value(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> text(parser);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonNumber(parser.getString());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT ->
          throw new IllegalStateException("no token of a JSON value: " + parser.currentToken());
    };
  }

  /// Half of a surrogate pair is no character: no encoding can send it on.
  private static String text(JsonParser parser) {
    String text = parser.getString();
    if (text.codePoints().anyMatch(it -> Character.getType(it) == Character.SURROGATE)) {
      throw ApiException.badRequest(
          "request body contains half of a surrogate pair, " + place(parser));
    }
    return text;
  }

  private static String place(JsonParser parser) {
    return place(parser.currentTokenLocation());
  }

  private static String place(@Nullable TokenStreamLocation at) {
    return at == null
        ? ""
        : String.format(Locale.ROOT, "in line %d, column %d", at.getLineNr(), at.getColumnNr());
  }

  private static String describe(@Nullable JsonToken token) {
    return switch (token) {
      case null -> "but it is missing";
      case START_ARRAY -> "got an array";
      case VALUE_STRING -> "got a string";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "got a number";
      default -> "got " + token.asString();
    };
  }
}
