package toystore.frontend;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

/// Bodies that are no request of any operation.
public final class MalformedBodies {
  /// Texts that are no JSON, no object, or beyond the limits of the parser.
  private static final List<String> TEXTS =
      List.of(
          " ",
          "[]",
          "null",
          "7",
          "\"x\"",
          "true",
          "{",
          "}",
          "{}{}",
          "{} x",
          "{\"a\"}",
          "{\"a\":}",
          "{\"a\":1,}",
          "{\"a\":1 \"b\":2}",
          "{a:1}",
          "{'a':1}",
          "{\"a\":nul}",
          "{\"a\":NaN}",
          "{\"a\":-Infinity}",
          "{\"a\":01}",
          "{\"a\":+1}",
          "{\"a\":.5}",
          "{\"a\":5.}",
          "{\"a\":٥}",
          "{\"a\":0x10}",
          "{\"a\":1e}",
          "{\"a\":-}",
          "{\"a\":1,\"a\":2}",
          "/* comment */{}",
          "{\"a\":\"\\x\"}",
          "{\"a\":\"\\u12\"}",
          "{\"a\":\"\\ud83e\"}",
          "{\"a\":\"\\udfff x\"}",
          "{\"\\ud83e\":1}",
          "{\"a\":\"\u0000\"}",
          "{\"a\":\"\n\"}",
          "{\u0000}",
          "\uFEFF{}",
          "{\"a\":" + "1".repeat(1_001) + "}",
          "{\"a\":" + "1".repeat(60_000) + "}",
          "{\"a\":0." + "1".repeat(60_000) + "}",
          "{\"a\":1e" + "1".repeat(60_000) + "}",
          "{\"a\":1e2147483647}",
          "{\"a\":1e-2147483648}",
          "{\"a\":1e99999999999}",
          "{\"a\":\"" + "x".repeat(60_000) + "\"}",
          "{\"a\":\"" + "x".repeat(60_000),
          "{\"" + "x".repeat(50_001) + "\":1}",
          "{\"" + "🧸".repeat(50) + "\":1}",
          "{\"x" + "🧸".repeat(50) + "\":1}", // shortened between two halves of a pair
          "[".repeat(60_000),
          "{\"a\":" + "[".repeat(30_000) + "]".repeat(30_000) + "}",
          "{\"a\":".repeat(10_000));

  /// Values that no field may have.
  private static final List<String> VALUES =
      List.of(
          "true",
          "{\"a\":1}",
          "[[[1]]]",
          "-1",
          "1e2",
          "1e2147483647",
          "-1e2147483647",
          "1e-2147483647",
          "9".repeat(1_000),
          "0." + "0".repeat(900) + "1",
          "\"\\ud83e\"",
          "[\"\\udfff\"]");

  private MalformedBodies() {}

  /// @param valid a valid body; each of its fields gets each malformed value
  public static List<byte[]> around(JsonNode valid) {
    Stream<byte[]> fields =
        valid.propertyNames().stream()
            .flatMap(name -> VALUES.stream().map(value -> with(valid, name, value)))
            .map(it -> it.getBytes(UTF_8));
    Stream<byte[]> encodings =
        Stream.of(
            new byte[0],
            "{\"é\":1}".getBytes(ISO_8859_1),
            new byte[] {'{', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '}'},
            new byte[] {'{', (byte) 0xc0, (byte) 0x80, '}'},
            valid.toString().getBytes(UTF_16LE),
            ("\uFEFF" + valid).getBytes(UTF_8));
    return Stream.of(fields, encodings, TEXTS.stream().map(it -> it.getBytes(UTF_8)))
        .flatMap(it -> it)
        .toList();
  }

  public static String with(JsonNode valid, String name, String value) {
    return ((ObjectNode) valid.deepCopy()).putRawValue(name, new RawValue(value)).toString();
  }
}
