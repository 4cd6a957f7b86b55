package toystore.lab.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A text in Markdown with placeholders such as `{{table drift}}`. A section (`## `) whose tables
/// and charts are all empty is left out.
///
/// @param text in Markdown
record ReportTemplate(String text) {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{([^}]+)}}");
  private static final Pattern SECTION = Pattern.compile("(?m)^(?=## )");
  private static final Pattern EMPTY_LINES = Pattern.compile("\n{3,}");

  /// @param name of a resource in `/toystore/lab/report`
  static ReportTemplate resource(String name) {
    try (InputStream file =
        ReportTemplate.class.getResourceAsStream("/toystore/lab/report/" + name)) {
      if (file == null) {
        throw new IllegalArgumentException("no template " + name);
      }
      return new ReportTemplate(new String(file.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// @param figure of the words of a placeholder; empty text if there is none
  String fill(Function<List<String>, String> figure) {
    return SECTION.splitAsStream(text).map(it -> filled(it, figure)).collect(Collectors.joining());
  }

  private static String filled(String section, Function<List<String>, String> figure) {
    var figures = new ArrayList<String>();
    String filled =
        PLACEHOLDER
            .matcher(section)
            .replaceAll(it -> {
              List<String> words = List.of(it.group(1).split(" "));
              String value = figure.apply(words);
              if (words.size() > 1) {
                figures.add(value);
              }
              return Matcher.quoteReplacement(value);
            });
    return section.startsWith("## ") && !figures.isEmpty() && String.join("", figures).isEmpty()
        ? ""
        : EMPTY_LINES.matcher(filled).replaceAll("\n\n");
  }
}
