package toystore.gatling.report;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Image;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlRenderer;

/// Renders Markdown as a self-contained page without scripts. Images of charts are replaced by
/// their inline SVG.
///
/// @param charts SVG by file name
record HtmlPage(Map<String, String> charts) {
  private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
  private static final String STYLE =
      """
      :root { color-scheme: light dark; }
      body { margin: 0 auto; max-width: 62rem; padding: 1rem; background: #ffffff; color: #1f2937;
        font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
      h1, h2 { line-height: 1.2; }
      h2 { margin-top: 2.5rem; border-bottom: 1px solid #d1d5db; padding-bottom: 0.3rem; }
      .table { overflow-x: auto; }
      table { border-collapse: collapse; overflow-wrap: normal; font-variant-numeric: tabular-nums; }
      th, td { padding: 0.3rem 0.6rem; border-bottom: 1px solid #e5e7eb; text-align: left; vertical-align: top; }
      thead:not(:has(th:not(:empty))) { display: none; }
      th { font-weight: 600; }
      [align=right] { text-align: right; white-space: nowrap; }
      code { font: 0.9em ui-monospace, monospace; background: #f3f4f6; padding: 0.1em 0.3em; border-radius: 4px; }
      pre { overflow-x: auto; background: #f3f4f6; padding: 0.75rem; border-radius: 6px; }
      pre code { padding: 0; }
      svg.chart { display: block; width: 100%; height: auto; margin: 1rem 0; border-radius: 6px; }
      a { color: #1668b8; }
      details { margin: 1rem 0; border: 1px solid #d1d5db; border-radius: 6px; padding: 0.5rem 1rem; }
      summary { cursor: pointer; font-weight: 600; }
      @media (prefers-color-scheme: dark) {
        body { background: #111827; color: #e5e7eb; }
        h2, details { border-color: #374151; }
        th, td { border-color: #374151; }
        code, pre { background: #1f2937; }
        a { color: #6db3f2; }
      }
      """;

  /// @param body from [#body]
  static String of(String title, String body) {
    return """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>%s</title>
    <style>
    %s</style>
    </head>
    <body>
    <main>
    %s</main>
    </body>
    </html>
    """
        .formatted(escaped(title), STYLE, body);
  }

  /// Tables and code scroll inside the page on narrow screens. They can be focused, because a
  /// keyboard scrolls only what is focused.
  String body(String markdown) {
    Node document = Parser.builder().extensions(EXTENSIONS).build().parse(markdown);
    return HtmlRenderer.builder()
        .extensions(EXTENSIONS)
        .escapeHtml(true)
        .sanitizeUrls(true)
        .nodeRendererFactory(Inline::new)
        .build()
        .render(document)
        .replace("<pre>", "<pre tabindex=\"0\">")
        .replace(
            "<table>",
            "<div class=\"table\" role=\"group\" aria-label=\"Table\" tabindex=\"0\">\n<table>")
        .replace("</table>", "</table>\n</div>");
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /// Replaces an image by the chart's SVG.
  private final class Inline implements NodeRenderer {
    private final HtmlNodeRendererContext context;

    Inline(HtmlNodeRendererContext context) {
      this.context = context;
    }

    @Override
    public Set<Class<? extends Node>> getNodeTypes() {
      return Set.of(Image.class);
    }

    @Override
    public void render(Node node) {
      String file = node instanceof Image image ? image.getDestination() : "";
      context.getWriter().raw(charts.getOrDefault(file, escaped(file)));
    }
  }
}
