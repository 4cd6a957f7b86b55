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
  private static final String CSS =
      """
      :root { color-scheme: light dark; }
      body { margin: 0 auto; max-width: 62rem; padding: 1rem; background: #ffffff; color: #1f2937;
        font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
      h1, h2, h3 { line-height: 1.2; }
      h2 { margin-top: 2.5rem; border-bottom: 1px solid #d1d5db; padding-bottom: 0.3rem; }
      .table { overflow-x: auto; }
      table { border-collapse: collapse; overflow-wrap: normal; font-variant-numeric: tabular-nums; font-size: 0.9rem; }
      th, td { padding: 0.3rem 0.6rem; border-bottom: 1px solid #e5e7eb; text-align: left; vertical-align: top; }
      th { font-weight: 600; }
      [align=right] { text-align: right; }
      td[align=right] { white-space: nowrap; }
      td:last-child:not([align]) { min-width: 16rem; }
      td:first-child { min-width: 6rem; }
      code { font: 0.9em ui-monospace, monospace; }
      a { color: #1668b8; }
      .answer, h1 + p + p strong { font-size: 1.25rem; line-height: 1.4; }
      .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr)); gap: 1rem; }
      article { border: 1px solid #d1d5db; border-radius: 8px; padding: 0 1rem; }
      @media screen and (prefers-color-scheme: dark) {
        body { background: #111827; color: #e5e7eb; }
        h2, article, th, td { border-color: #374151; }
        a { color: #6db3f2; }
      }
      @media print { body { max-width: none; } .table { overflow: visible; } tr { break-inside: avoid; } }
      """;

  private HtmlFrame() {}

  /// @param title as plain text
  static String page(String title, String markdown) {
    String body =
        RENDERER
            .render(PARSER.parse(markdown))
            .replace(
                "<table>",
                "<div class=\"table\" role=\"group\" aria-label=\"Table\" tabindex=\"0\">\n<table>")
            .replace("</table>", "</table>\n</div>");
    return """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>%s</title>
    <style>
    %s%s</style>
    </head>
    <body>
    <main>
    %s</main>
    </body>
    </html>
    """
        .formatted(escaped(title), CSS, ChartStyle.CSS, body);
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
