package toystore.exchange.xml;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.List;
import toystore.exchange.domain.OpenedOrder.OrderWithTrades;
import toystore.exchange.domain.TradePage;
import toystore.exchange.engine.FixedPoint;
import toystore.exchange.engine.LimitOrder;
import toystore.exchange.engine.MatchedTrade;
import toystore.exchange.xml.RequestChild.Attribute;
import toystore.exchange.xml.RequestChild.Kind;

/// Writes answers as XML, each in a line. One thread.
final class ResultsWriter {
  /// Characters after which a long answer should be sent.
  static final int FULL = 1 << 15;

  private static final String END = "</results>\n";
  private static final int MILLIS = 1_000;
  private static final char NONCHARACTER = '\uFFFE';

  private final boolean lengthLine;
  private final Sink sink;
  private final StringBuilder out = new StringBuilder();
  private int beginning; // of the last answer

  @FunctionalInterface
  interface Sink {
    /// Called in the middle of an element. May call [#take()].
    void full(ResultsWriter results) throws IOException;
  }

  /// @param lengthLine whether each answer has its length in bytes in a line before it
  /// @param sink called while [#length()] is above [#FULL]
  ResultsWriter(boolean lengthLine, Sink sink) {
    this.lengthLine = lengthLine;
    this.sink = sink;
  }

  int length() {
    return out.length();
  }

  int heapBytes() {
    return out.capacity();
  }

  /// Also removes it.
  byte[] take() {
    byte[] bytes = out.toString().getBytes(UTF_8);
    out.setLength(0);
    return bytes;
  }

  void begin() {
    beginning = out.length();
    out.append("<results>");
  }

  void end() {
    out.append(END);
    if (lengthLine) {
      out.insert(beginning, out.substring(beginning).getBytes(UTF_8).length + "\n");
    }
  }

  void writeMalformed(String message) {
    out.append("<error>");
    escape(message);
    end("error");
  }

  void error(RequestChild child, String message) {
    begin("error", child.attributes());
    out.append('>');
    escape(message);
    end("error");
  }

  void writeCreated(RequestChild child) {
    begin("created", child.attributes());
    out.append("/>");
  }

  void writeOpened(RequestChild child, long order) {
    begin("opened", child.attributes());
    attribute("id", Long.toString(order));
    out.append("/>");
  }

  /// Of a query or a cancel.
  void status(RequestChild child, OrderWithTrades found) throws IOException {
    LimitOrder order = found.order();
    TradePage trades = found.trades();
    String name = child.kind() == Kind.QUERY ? "status" : "canceled";
    begin(name, child.attributes());
    out.append('>');
    if (order.openE4() > 0) {
      out.append("<open");
      decimal("shares", order.openE4(), FixedPoint.SHARES);
      out.append("/>");
    } else if (order.canceledE4() > 0) {
      out.append("<canceled");
      decimal("shares", order.canceledE4(), FixedPoint.SHARES);
      attribute("time", Long.toString(order.canceledAt() / MILLIS));
      out.append("/>");
    }
    for (MatchedTrade trade : trades.trades()) {
      out.append("<executed");
      decimal("shares", trade.sharesE4(), FixedPoint.SHARES);
      decimal("price", trade.priceE4(), FixedPoint.PRICE);
      attribute("time", Long.toString(trade.executedAt() / MILLIS));
      out.append("/>");
      if (out.length() > FULL) {
        sink.full(this);
      }
    }
    if (trades.omitted() > 0) {
      out.append("<omitted");
      attribute("executions", Long.toString(trades.omitted()));
      out.append("/>");
    }
    end(name);
  }

  private void begin(String name, List<Attribute> attributes) {
    out.append('<').append(name);
    for (Attribute attribute : attributes) {
      out.append(' ').append(attribute.name()).append("=\"");
      escape(attribute.value());
      out.append('"');
    }
  }

  private void end(String name) {
    out.append("</").append(name).append('>');
  }

  private void decimal(String name, long value, int decimals) {
    attribute(name, FixedPoint.format(value, decimals));
  }

  private void attribute(String name, String plain) {
    out.append(' ').append(name).append("=\"").append(plain).append('"');
  }

  /// So that a parser returns it unchanged, in an attribute or in an element.
  private void escape(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '&' -> out.append("&amp;");
        case '"' -> out.append("&quot;");
        case '\n', '\r', '\t' -> out.append("&#").append((int) c).append(';');
        default -> out.append(c < ' ' || c >= NONCHARACTER ? '?' : c); // XML has no such characters
      }
    }
  }
}
