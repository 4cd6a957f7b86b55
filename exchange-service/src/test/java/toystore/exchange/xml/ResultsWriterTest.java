package toystore.exchange.xml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamReader;
import org.junit.jupiter.api.Test;
import toystore.exchange.domain.ExchangeCommand;
import toystore.exchange.domain.OpenedOrder.OrderWithTrades;
import toystore.exchange.domain.TradePage;
import toystore.exchange.engine.LimitOrder;
import toystore.exchange.engine.MatchedTrade;
import toystore.exchange.engine.Side;
import toystore.exchange.engine.Symbol;
import toystore.exchange.xml.RequestChild.Attribute;
import toystore.exchange.xml.RequestChild.Kind;

class ResultsWriterTest {
  private static final Symbol SPY = new Symbol(1, "SPY");
  private static final long TIME = 1_700_000_000_999L;
  private static final List<MatchedTrade> LIST =
      List.of(
          new MatchedTrade(8, SPY, 1_270_000, 2_000_000, 3, 7, TIME),
          new MatchedTrade(9, SPY, 5_000, 1, 1, 7, TIME + 1));
  private static final TradePage TRADES = new TradePage(LIST, 0);

  private static RequestChild child(Kind kind, Attribute... attributes) {
    return RequestChild.of(
        kind, List.of(attributes), new ExchangeCommand.CreateAccount("1", null, 0));
  }

  private static String written(RequestChild child, LimitOrder order, TradePage trades)
      throws IOException {
    var results = new ResultsWriter(false, _ -> {});
    results.status(child, new OrderWithTrades(order, trades));
    return new String(results.take(), UTF_8);
  }

  private static LimitOrder order(long openE4, long canceledE4) {
    return new LimitOrder(
        7, 1, SPY, Side.SELL, 4_000_000, 1, openE4, canceledE4, TIME, canceledE4 > 0 ? TIME : 0);
  }

  @Test
  void openedRepeatsTheAttributesAsTheyWereSent() {
    RequestChild child =
        child(
            Kind.ORDER,
            new Attribute("limit", "0124.0"),
            new Attribute("sym", "SPY"),
            new Attribute("amount", "-400"));
    var results = new ResultsWriter(false, _ -> {});
    results.opened(child, 7);
    assertThat(new String(results.take(), UTF_8))
        .isEqualTo("<opened limit=\"0124.0\" sym=\"SPY\" amount=\"-400\" id=\"7\"/>");
  }

  @Test
  void omittedExecutionsAreCountedAfterTheShownOnes() throws IOException {
    RequestChild query = child(Kind.QUERY, new Attribute("id", "7"));
    var shown = new TradePage(LIST.subList(1, 2), 99_000);
    assertThat(written(query, order(15_000, 0), shown))
        .isEqualTo(
            "<status id=\"7\"><open shares=\"1.5\"/>"
                + "<executed shares=\"0.0001\" price=\"0.5\" time=\"1700000001\"/>"
                + "<omitted executions=\"99000\"/></status>");
  }

  @Test
  void longAnswerIsSentInParts() throws IOException {
    var parts = new ArrayList<String>();
    var results = new ResultsWriter(false, it -> parts.add(new String(it.take(), UTF_8)));
    var page = new TradePage(Collections.nCopies(1_000, LIST.getFirst()), 0);
    results.status(
        child(Kind.QUERY, new Attribute("id", "7")), new OrderWithTrades(order(0, 0), page));
    assertThat(parts).isNotEmpty().allMatch(it -> it.length() < ResultsWriter.FULL + 100);
    assertThat(String.join("", parts) + new String(results.take(), UTF_8))
        .isEqualTo(
            "<status id=\"7\">"
                + "<executed shares=\"200\" price=\"127\" time=\"1700000000\"/>".repeat(1_000)
                + "</status>");
  }

  @Test
  void statusHasAtMostOneOpenOrCanceledThenTheExecutions() throws IOException {
    RequestChild query = child(Kind.QUERY, new Attribute("id", "7"));
    String executed =
        "<executed shares=\"200\" price=\"127\" time=\"1700000000\"/>"
            + "<executed shares=\"0.0001\" price=\"0.5\" time=\"1700000001\"/>";
    assertThat(written(query, order(15_000, 0), TradePage.NONE))
        .isEqualTo("<status id=\"7\"><open shares=\"1.5\"/></status>");
    assertThat(written(query, order(0, 10_000), TRADES))
        .isEqualTo(
            "<status id=\"7\"><canceled shares=\"1\" time=\"1700000000\"/>"
                + executed
                + "</status>");
    assertThat(written(query, order(0, 0), TRADES))
        .isEqualTo("<status id=\"7\">" + executed + "</status>");
    RequestChild cancel = child(Kind.CANCEL, new Attribute("id", "7"));
    assertThat(written(cancel, order(0, 0), TRADES))
        .isEqualTo("<canceled id=\"7\">" + executed + "</canceled>");
  }

  @Test
  void errorRepeatsTheAttributesSoThatAParserReturnsThemUnchanged() throws Exception {
    String value = "a<b>&\"'\n\r\té😀]]>";
    var results = new ResultsWriter(false, _ -> {});
    results.error(child(Kind.QUERY, new Attribute("id", value)), value + "\u0001\uFFFF");
    String xml = new String(results.take(), UTF_8);
    XMLStreamReader reader =
        XMLInputFactory.newDefaultFactory().createXMLStreamReader(new StringReader(xml));
    reader.next();
    assertThat(reader.getAttributeValue(null, "id")).isEqualTo(value);
    assertThat(reader.getElementText()).isEqualTo(value + "??");
  }
}
