package toystore.lab.report;

import java.util.List;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import toystore.lab.chart.ChartStyle;

/// Renders Markdown, which may contain charts as HTML, as a page that needs no other file.
final class HtmlFrame {
  private static final List<TablesExtension> EXTENSIONS =
      List.of((TablesExtension) TablesExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
  private static final HtmlRenderer RENDERER =
      HtmlRenderer.builder().extensions(EXTENSIONS).build();
  private static final String TABLE =
      "<div class=\"table\" role=\"group\" aria-label=\"Table\" tabindex=\"0\">\n<table>";

  private HtmlFrame() {}

  /// @param title as plain text
  static String page(String title, String markdown) {
    String body =
        RENDERER
            .render(PARSER.parse(markdown))
            .replace("<table>", TABLE)
            .replace("</table>", "</table>\n</div>");
    return ReportTemplate.resource("page.html")
        .text()
        .replace("{{title}}", escaped(title))
        .replace("{{charts}}", ChartStyle.CSS)
        .replace("{{body}}", body);
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
