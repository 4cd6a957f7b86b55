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

  private static RequestChild child(Kind kind, Attribute... attributes) {
    return RequestChild.of(
        kind, List.of(attributes), new ExchangeCommand.CreateAccount("1", null, 0));
  }

  private static LimitOrder order(long openE4, long canceledE4) {
    return new LimitOrder(
        7, 1, SPY, Side.SELL, 4_000_000, 1, openE4, canceledE4, TIME, canceledE4 > 0 ? TIME : 0);
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
