package toystore.torture;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import toystore.exchange.engine.FixedPoint;
import toystore.exchange.v1.Execution;
import toystore.exchange.v1.Order;
import toystore.exchange.v1.Side;
import toystore.testkit.Conditions;
import toystore.testkit.XmlTestClient;

/// Trades over XML. A request whose connection breaks is not repeated.
final class XmlTrader implements ExchangeTrader {
  private static final AtomicLong IDS = new AtomicLong();

  private final int port;
  private @Nullable XmlTestClient client;

  XmlTrader(int port) {
    this.port = port;
  }

  @Override
  public TradedAccount open() throws Exception {
    String id;
    do { // an account whose creation was not answered is given up
      id = Long.toString(IDS.incrementAndGet());
    } while (request(creation(id)).isEmpty());
    return new TradedAccount(id);
  }

  private static String creation(String id) {
    var xml = new StringBuilder("<create><account id=\"%s\" balance=\"%s\"/>");
    TradedAccount.SYMBOLS.forEach(it ->
        xml.append("<symbol sym=\"" + it + "\"><account id=\"%1$s\">%3$s</account></symbol>"));
    return String.format(
        Locale.ROOT,
        xml.append("</create>").toString(),
        id,
        FixedPoint.format(TradedAccount.CASH_E8, FixedPoint.CASH),
        FixedPoint.format(TradedAccount.SHARES_E4, FixedPoint.SHARES));
  }

  @Override
  public void trade(
      TradedAccount account, List<Order> placed, List<Long> queried, List<Long> canceled)
      throws Exception {
    var xml = new StringBuilder(String.format(Locale.ROOT, "<transactions id=\"%s\">", account.id));
    placed.forEach(it ->
        xml.append(
            String.format(
                Locale.ROOT,
                "<order sym=\"%s\" amount=\"%s%s\" limit=\"%s\"/>",
                it.getSymbol(),
                it.getSide() == Side.SIDE_SELL ? "-" : "",
                FixedPoint.format(it.getSharesE4(), FixedPoint.SHARES),
                FixedPoint.format(it.getLimitE4(), FixedPoint.PRICE))));
    queried.forEach(it -> xml.append(String.format(Locale.ROOT, "<query id=\"%d\"/>", it)));
    canceled.forEach(it -> xml.append(String.format(Locale.ROOT, "<cancel id=\"%d\"/>", it)));
    Optional<List<Element>> answer = request(xml.append("</transactions>").toString());
    if (answer.isEmpty()) {
      placed.forEach(account::unanswered);
      return;
    }
    List<Element> elements = answer.get();
    assertThat(elements).hasSize(placed.size() + queried.size() + canceled.size());
    for (int i = 0; i < elements.size(); i++) {
      Element element = elements.get(i);
      long number = Long.parseLong(element.getAttribute("id"));
      if (i < placed.size()) {
        account.placed(placed.get(i).toBuilder().setOrderId(number).build());
      } else {
        account.seen(order(number, element));
      }
    }
  }

  /// @return the elements of the answer; empty if the connection broke
  private Optional<List<Element>> request(String xml) throws Exception {
    try {
      if (client == null) {
        client =
            Conditions.patiently()
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> new XmlTestClient(port), _ -> true);
      }
      String answer = client.request(xml);
      if (answer.endsWith("</results>")) {
        assertThat(answer).as("answer to %s", xml).doesNotContain("<error");
        return Optional.of(
            children(
                DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(answer)))
                    .getDocumentElement()));
      }
    } catch (IOException broken) {
      // as if it had ended
    }
    close();
    return Optional.empty();
  }

  private static List<Element> children(Element parent) {
    NodeList nodes = parent.getChildNodes();
    List<Element> children = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      children.add((Element) requireNonNull(nodes.item(i)));
    }
    return children;
  }

  private static Order order(long number, Element status) {
    var order = Order.newBuilder().setOrderId(number);
    for (Element child : children(status)) {
      long shares = decimal(child, "shares");
      switch (child.getTagName()) {
        case "open" -> order.setOpenSharesE4(shares);
        case "canceled" -> order.setCanceledSharesE4(shares).setCanceledAt(time(child));
        default ->
            order.addExecutions(
                Execution.newBuilder()
                    .setSharesE4(shares)
                    .setPriceE4(decimal(child, "price"))
                    .setExecutedAt(time(child)));
      }
    }
    return order.build();
  }

  private static long decimal(Element element, String attribute) {
    return FixedPoint.parse(element.getAttribute(attribute), FixedPoint.SHARES).orElseThrow();
  }

  private static Timestamp time(Element element) {
    return Timestamp.newBuilder().setSeconds(Long.parseLong(element.getAttribute("time"))).build();
  }

  @Override
  public void close() {
    try {
      if (client != null) {
        client.close();
      }
    } catch (IOException broken) {
      // it is closed
    }
    client = null;
  }
}
