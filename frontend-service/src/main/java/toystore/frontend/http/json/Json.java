package toystore.frontend.http.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import toystore.frontend.http.error.ApiException;
import toystore.platform.text.PlainDecimal;

/// The JSON of requests and answers. Reading is strict: UTF-8 only, no duplicate, unknown, missing
/// or null fields (but see [OptionalField]), no conversion of types, decimals without an exponent,
/// no half of a surrogate pair. Jackson limits depth and the length of names and numbers. Names are
/// in snake case, and null is not written.
public final class Json {
  public static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
                  .build())
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .changeDefaultPropertyInclusion(it -> it.withValueInclusion(JsonInclude.Include.NON_NULL))
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .changeDefaultNullHandling(_ -> JsonSetter.Value.forValueNulls(Nulls.FAIL, Nulls.FAIL))
          .addModule(
              new SimpleModule()
                  .addDeserializer(String.class, new TextDeserializer())
                  .addDeserializer(BigDecimal.class, new DecimalDeserializer(false)))
          .build();

  private Json() {}

  /// Reads a body. Jackson's own decoder would accept other encodings, and overlong UTF-8.
  public static Object read(byte[] body, Type type) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
      return MAPPER.readValue(text, MAPPER.constructType(type));
    } catch (CharacterCodingException e) {
      throw ApiException.badRequest("request body is not valid UTF-8");
    }
  }

  /// Returns the JSON text of a view, without line feeds.
  public static String text(Object view) {
    return MAPPER.writeValueAsString(view);
  }

  /// Half of a surrogate pair is no character: no encoding can send it on.
  private static final class TextDeserializer extends StdScalarDeserializer<String> {
    TextDeserializer() {
      super(String.class);
    }

    @Override
    public String deserialize(JsonParser parser, DeserializationContext context) {
      String text = parser.getString();
      boolean valid =
          parser.currentToken() == JsonToken.VALUE_STRING
              && text.codePoints().noneMatch(it -> Character.getType(it) == Character.SURROGATE);
      return valid ? text : (String) context.handleUnexpectedToken(String.class, parser);
    }
  }

  private static class DecimalDeserializer extends StdScalarDeserializer<BigDecimal> {
    private final boolean acceptsText;

    DecimalDeserializer(boolean acceptsText) {
      super(BigDecimal.class);
      this.acceptsText = acceptsText;
    }

    @Override
    public BigDecimal deserialize(JsonParser parser, DeserializationContext context) {
      boolean isOfType =
          parser.currentToken().isNumeric()
              || (acceptsText && parser.currentToken() == JsonToken.VALUE_STRING);
      return Optional.of(parser.getString())
          .filter(_ -> isOfType)
          .flatMap(PlainDecimal::parse)
          .orElseGet(() -> (BigDecimal) context.handleUnexpectedToken(BigDecimal.class, parser));
    }
  }

  /// A decimal number, written as a JSON number or as a string with the same text.
  public static final class DecimalOrText extends DecimalDeserializer {
    DecimalOrText() {
      super(true);
    }
  }
}
