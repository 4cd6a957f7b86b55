package toystore.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.clients.RawClient;
import toystore.common.v1.AuditCheck;
import toystore.exchange.engine.FixedPoint;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;

/// As a published client sends it. Each test has accounts and symbols of its own.
class XmlGatewayTest {
  private static final Pattern TIME = Pattern.compile("time=\"(\\d+)\"");

  @TempDir private static Path folder;
  private static ExchangeFixture service;

  @BeforeAll
  static void start() {
    service = new ExchangeFixture(folder);
  }

  @AfterAll
  static void stop() {
    assertThat(service.audit(true)).extracting(AuditCheck::getOk).doesNotContain(false);
    service.close();
  }

  /// On its own connection; times are replaced by T.
  private static String send(String xml) {
    return send(service, xml);
  }

  private static String send(ExchangeFixture to, String xml) {
    try {
      String answer = RawClient.exchangeAll(to.xmlPort, RawClient.framed(xml));
      assertThat(answer).endsWith("</results>\n");
      return TIME.matcher(answer.strip()).replaceAll("time=\"T\"");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String transactions(String account, String children) {
    return send(format("<transactions id=\"%s\">%s</transactions>", account, children));
  }

  private static void create(String account, String balance, String symbol, String shares) {
    assertThat(
            send(
                format(
                    "<create><account id=\"%s\" balance=\"%s\"/><symbol sym=\"%s\"><account id=\"%s\">%s</account></symbol></create>",
                    account, balance, symbol, account, shares)))
        .isEqualTo(
            format(
                "<results><created id=\"%s\"/><created sym=\"%s\" id=\"%s\"/></results>",
                account, symbol, account));
  }

  /// Order numbers count from 1, so the example has a service of its own, which is then restarted.
  @Test
  void workedExampleOfTheContractByteForByte(@TempDir Path data) throws IOException {
    long before = Instant.now().getEpochSecond();
    var sent = new ArrayList<String>();
    String last =
        "<status id=\"7\"><executed shares=\"200\" price=\"127\" time=\"T\"/><executed shares=\"200\" price=\"125\" time=\"T\"/></status>";
    try (var fresh = new ExchangeFixture(data);
        var client = RawClient.patient(fresh.xmlPort)) {
      exchange(
          client,
          sent,
          """
          <?xml version="1.0" encoding="UTF-8"?>
          <create>
           <account id="1" balance="200000"/>
           <account id="2" balance="0"/>
           <symbol sym="SPY">
            <account id="2">1200</account>
           </symbol>
          </create>
          """,
          "<created id=\"1\"/><created id=\"2\"/><created sym=\"SPY\" id=\"2\"/>");
      open(client, sent, 1, 1, "300", "125");
      open(client, sent, 2, 2, "-100", "130");
      open(client, sent, 3, 1, "200", "127");
      open(client, sent, 4, 2, "-500", "128");
      open(client, sent, 5, 2, "-200", "140");
      open(client, sent, 6, 1, "400", "125");
      open(client, sent, 7, 2, "-400", "124");
      exchange(client, sent, "<transactions id=\"2\"><query id=\"7\"/></transactions>", last);
      exchange(
          client,
          sent,
          "<transactions id=\"1\"><query id=\"1\"/><query id=\"3\"/><cancel id=\"3\"/>"
              + "<cancel id=\"1\"/><query id=\"1\"/></transactions>",
          "<status id=\"1\"><open shares=\"100\"/><executed shares=\"200\" price=\"125\" time=\"T\"/></status>"
              + "<status id=\"3\"><executed shares=\"200\" price=\"127\" time=\"T\"/></status>"
              + "<canceled id=\"3\"><executed shares=\"200\" price=\"127\" time=\"T\"/></canceled>"
              + "<canceled id=\"1\"><canceled shares=\"100\" time=\"T\"/><executed shares=\"200\" price=\"125\" time=\"T\"/></canceled>"
              + "<status id=\"1\"><canceled shares=\"100\" time=\"T\"/><executed shares=\"200\" price=\"125\" time=\"T\"/></status>");
    }
    for (String answer : sent) {
      Matcher times = TIME.matcher(answer);
      while (times.find()) {
        assertThat(Long.parseLong(times.group(1)))
            .isBetween(before, Instant.now().getEpochSecond());
      }
    }
    System.out.print(String.join("", sent)); // for the documents
    try (var restarted = new ExchangeFixture(data, "--toystore.exchange.open-orders=3")) {
      assertThat(send(restarted, "<transactions id=\"2\"><query id=\"7\"/></transactions>"))
          .isEqualTo("<results>" + last + "</results>");
      assertOpenOrdersAreBounded(restarted);
    }
  }

  /// More orders are open than the setting allows: 2, 4, 5 and 6.
  private static void assertOpenOrdersAreBounded(ExchangeFixture restarted) {
    String order = " sym=\"SPY\" amount=\"1\" limit=\"1\"";
    String full =
        format(
            "<error%s>the exchange has 3 open orders, which is the maximum; retry after some were executed or canceled</error>",
            order);
    String canceled = "<canceled id=\"%d\"><canceled shares=\"%d\" time=\"T\"/></canceled>";
    assertThat(
            send(
                restarted,
                format(
                    "<transactions id=\"2\"><order%1$s/><cancel id=\"2\"/><order%1$s/></transactions>",
                    order)))
        .isEqualTo(
            "<results>"
                + full
                + String.format(Locale.ROOT, canceled, 2, 100)
                + full
                + "</results>");
    RpcError refused = ExchangeFixture.error(() -> restarted.administrator.buy(2, "SPY", "1", "1"));
    assertThat(refused.reason()).isEqualTo(ErrorReason.LIMIT_REACHED);
    assertThat(refused.message()).startsWith("the exchange has 3 open orders");
    assertThat(
            send(
                restarted,
                format(
                    "<transactions id=\"2\"><cancel id=\"5\"/><order%s/></transactions>", order)))
        .isEqualTo(
            format(
                "<results>%s<opened%s id=\"8\"/></results>",
                String.format(Locale.ROOT, canceled, 5, 200), order));
  }

  private static void open(
      RawClient client, List<String> sent, int id, int account, String amount, String limit)
      throws IOException {
    String order = format(" sym=\"SPY\" amount=\"%s\" limit=\"%s\"", amount, limit);
    exchange(
        client,
        sent,
        format("<transactions id=\"%d\"><order%s/></transactions>", account, order),
        format("<opened%s id=\"%d\"/>", order, id));
  }

  private static void exchange(RawClient client, List<String> sent, String xml, String expected)
      throws IOException {
    String answer = client.request(xml);
    sent.add(RawClient.framed(xml) + "\n" + answer + "\n");
    assertThat(TIME.matcher(answer).replaceAll("time=\"T\""))
        .isEqualTo(format("<results>%s</results>", expected));
  }

  @Test
  void createAnswersEachAccountInTheOrderOfTheRequest() {
    assertThat(
            send(
                "<create><symbol sym=\"C1\"><account id=\"100\">1</account></symbol>"
                    + "<account balance=\"10.5\" id=\"100\"/><account id=\"100\" balance=\"1\"/>"
                    + "<account id=\"0100\" balance=\"0\"/><account id=\"x\" balance=\"1\"/>"
                    + "<account id=\"101\" balance=\"-1\"/>"
                    + "<symbol sym=\"C1\"><account id=\"100\">0.5</account><account id=\"100\">2</account>"
                    + "<account id=\"100\">-1</account><account id=\"100\">0.00001</account></symbol>"
                    + "<symbol sym=\"a-b\"><account id=\"100\">1</account></symbol></create>"))
        .isEqualTo(
            "<results><error sym=\"C1\" id=\"100\">account not found</error>"
                + "<created id=\"100\"/><error id=\"100\">account already exists</error>"
                + "<created id=\"0100\"/><error id=\"x\">account id must be 1 to 32 digits</error>"
                + "<error id=\"101\">balance must not be negative</error>"
                + "<created sym=\"C1\" id=\"100\"/><created sym=\"C1\" id=\"100\"/>"
                + "<error sym=\"C1\" id=\"100\">number of shares must be more than 0, or at least 0 where shares are added</error>"
                + "<error sym=\"C1\" id=\"100\">number of shares must be a plain number with at most"
                + " 4 decimals and at most 922337203685477.5807, got &quot;0.00001&quot;</error>"
                + "<error sym=\"a-b\" id=\"100\">symbol must be 1 to 32 letters and digits</error>"
                + "</results>");
  }

  @Test
  void refusedOrderRepeatsItsAttributesAsTheyWereSent() {
    create("200", "100", "R1", "5");
    for (String order :
        List.of(
            "limit=\"10\" sym=\"R1\" amount=\"11\"",
            "sym=\"R1\" amount=\"-5.0001\" limit=\"1\"",
            "sym=\"R1\" amount=\"0.0\" limit=\"1\"",
            "sym=\"R1\" amount=\"+1\" limit=\"1\"",
            "sym=\"R1\" amount=\"1\" limit=\"0\"",
            "sym=\"R1\" amount=\"1\" limit=\"-1\"",
            "sym=\"R1\" amount=\"1.00001\" limit=\"1\"",
            "sym=\"R1\" amount=\"1e1\" limit=\"1\"",
            "sym=\"R1\" amount=\"900000000000\" limit=\"900000000000\"",
            "sym=\"R1\" amount=\"-5\" limit=\"900000000000000\"",
            "sym=\"NONE\" amount=\"1\" limit=\"1\"",
            "sym=\"&lt;&quot;&amp;\" amount=\"\" limit=\"é\"")) {
      assertThat(transactions("200", "<order " + order + "/>"))
          .startsWith("<results><error " + order + ">")
          .endsWith("</error></results>")
          .doesNotContain("internal");
    }
    assertThat(transactions("200", "<order sym=\"R1\" amount=\"10\" limit=\"10\"/>"))
        .as("nothing is reserved")
        .startsWith("<results><opened sym=\"R1\" amount=\"10\" limit=\"10\" id=\"");
  }

  @Test
  void childrenAreExecutedInTheirOrder() {
    create("300", "100", "O1", "10");
    String answer =
        transactions(
            "300",
            "<order sym=\"O1\" amount=\"0.5\" limit=\"0.0001\"/><query id=\"x\"/>"
                + "<order sym=\"O1\" amount=\"-10\" limit=\"99.5\"/>");
    Matcher ids = Pattern.compile("limit=\"[^\"]*\" id=\"(\\d+)\"").matcher(answer);
    assertThat(ids.find()).isTrue();
    String buy = ids.group(1);
    assertThat(ids.find()).isTrue();
    String sell = ids.group(1);
    assertThat(Long.parseLong(sell)).isGreaterThan(Long.parseLong(buy));
    assertThat(
            transactions(
                "300",
                format(
                    "<query id=\"%1$s\"/><cancel id=\"%1$s\"/><query id=\"%1$s\"/><cancel id=\"%1$s\"/>",
                    buy)))
        .isEqualTo(
            format(
                "<results><status id=\"%1$s\"><open shares=\"0.5\"/></status><canceled id=\"%1$s\"><canceled shares=\"0.5\" time=\"T\"/></canceled><status id=\"%1$s\"><canceled shares=\"0.5\" time=\"T\"/></status><canceled id=\"%1$s\"><canceled shares=\"0.5\" time=\"T\"/></canceled></results>",
                buy));
  }

  /// Order i of 1,100 sells i ten-thousandths.
  @Test
  void newestExecutionsOfAnOrderAreShownAndTheOthersAreCounted() {
    create("310", "1000000", "N1", "1000");
    var orders = new StringBuilder();
    for (int i = 1; i <= 1_100; i++) {
      orders.append(format("<order sym=\"N1\" amount=\"-%s\" limit=\"1\"/>", shares(i)));
    }
    orders.append("<order sym=\"N1\" amount=\"1000\" limit=\"1\"/>");
    Matcher id =
        Pattern.compile("id=\"(\\d+)\"/></results>")
            .matcher(transactions("310", orders.toString()));
    assertThat(id.find()).isTrue();
    var executed = new StringBuilder();
    for (int i = 101; i <= 1_100; i++) {
      executed.append(format("<executed shares=\"%s\" price=\"1\" time=\"T\"/>", shares(i)));
    }
    executed.append("<omitted executions=\"100\"/>");
    String open = shares(10_000_000 - 1_100 * 1_101 / 2);
    assertThat(
            transactions("310", format("<query id=\"%1$s\"/><cancel id=\"%1$s\"/>", id.group(1))))
        .isEqualTo(
            format(
                "<results><status id=\"%1$s\"><open shares=\"%2$s\"/>%3$s</status><canceled id=\"%1$s\"><canceled shares=\"%2$s\" time=\"T\"/>%3$s</canceled></results>",
                id.group(1), open, executed));
  }

  private static String shares(long tenThousandths) {
    return FixedPoint.format(tenThousandths, FixedPoint.SHARES);
  }

  /// 10,000 may be open.
  @Test
  void openOrdersOfAnAccountAreBounded() {
    create("320", "1000000", "B1", "1000");
    String order = "<order sym=\"B1\" amount=\"1\" limit=\"1\"/>";
    String answer = transactions("320", order.repeat(10_000));
    assertThat(answer.split("<opened", -1)).hasSize(10_001);
    assertThat(transactions("320", order))
        .isEqualTo(
            "<results><error sym=\"B1\" amount=\"1\" limit=\"1\">the account has 10000 open orders, which is the maximum; cancel one first</error></results>");
    Matcher id = Pattern.compile("id=\"(\\d+)\"/>").matcher(answer);
    assertThat(id.find()).isTrue();
    assertThat(transactions("320", format("<cancel id=\"%s\"/>", id.group(1)) + order))
        .contains("<canceled shares=\"1\"", "<opened ");
  }

  @Test
  void foreignOrderAndAccountAreUnknown() {
    create("400", "100", "F1", "10");
    create("401", "100", "F2", "10");
    Matcher id =
        Pattern.compile("id=\"(\\d+)\"")
            .matcher(transactions("400", "<order sym=\"F1\" amount=\"1\" limit=\"1\"/>"));
    assertThat(id.find()).isTrue();
    String notFound = "<error id=\"%s\">order not found</error>";
    for (String order : List.of(id.group(1), "0", "999999999", "-1")) {
      assertThat(transactions("401", format("<cancel id=\"%1$s\"/><query id=\"%1$s\"/>", order)))
          .isEqualTo(
              "<results>" + String.format(Locale.ROOT, notFound, order).repeat(2) + "</results>");
    }
  }

  @Test
  void unknownAccountAndThatOfARestUserGetAnErrorForEachChild() {
    create("500", "100", "U1", "10");
    long owned = service.buyer(5).account("1000");
    for (String account : List.of("99999", String.valueOf(owned), "", "x")) {
      assertThat(
              transactions(
                  account,
                  "<order sym=\"U1\" amount=\"1\" limit=\"1\"/><query id=\"1\"/><cancel id=\"1\"/>"))
          .isEqualTo(
              "<results><error sym=\"U1\" amount=\"1\" limit=\"1\">account not found</error>"
                  + "<error id=\"1\">account not found</error><error id=\"1\">account not found</error></results>");
      assertThat(
              send(
                  format(
                      "<create><symbol sym=\"U1\"><account id=\"%s\">5</account></symbol></create>",
                      account)))
          .isEqualTo(
              format(
                  "<results><error sym=\"U1\" id=\"%s\">account not found</error></results>",
                  account));
    }
  }
}
