package toystore.exchange.xml;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.exchange.domain.AccountKey;
import toystore.exchange.domain.ExchangeCommand;
import toystore.exchange.domain.ExchangeRequest;
import toystore.exchange.engine.Side;
import toystore.exchange.xml.RequestChild.Attribute;
import toystore.exchange.xml.RequestChild.Kind;

class RequestParserTest {
  private final RequestParser parser = new RequestParser();

  private ParsedRequest parse(String xml) {
    byte[] bytes = xml.getBytes(UTF_8);
    return parser.parse(bytes, 0, bytes.length);
  }

  private List<RequestChild> children(String xml) {
    ParsedRequest request = parse(xml);
    assertThat(request).isInstanceOf(ParsedRequest.Valid.class);
    return ((ParsedRequest.Valid) request).children();
  }

  private List<RequestChild> transactions(String children) {
    return children("<transactions id=\"7\">" + children + "</transactions>");
  }

  private static List<Attribute> attributes(String... namesAndValues) {
    return java.util.stream.IntStream.range(0, namesAndValues.length / 2)
        .mapToObj(i -> new Attribute(namesAndValues[2 * i], namesAndValues[2 * i + 1]))
        .toList();
  }

  @Test
  void attributeThatIsTooLongMakesTheRequestMalformed() {
    for (String document :
        List.of(
            "<transactions id=\"1\"><query id=\"%s\"/></transactions>",
            "<transactions id=\"%s\"></transactions>",
            "<create><symbol sym=\"%s\"></symbol></create>")) {
      assertThat(parse(String.format(Locale.ROOT, document, "7".repeat(1_001))))
          .isInstanceOfSatisfying(
              ParsedRequest.Malformed.class,
              it ->
                  assertThat(it.message()).contains("must have at most 1000 characters, got 1001"));
      assertThat(parse(String.format(Locale.ROOT, document, "7".repeat(1_000))))
          .isInstanceOf(ParsedRequest.Valid.class);
    }
  }

  @Test
  void createHasAccountsAndSharesInTheirOrder() {
    assertThat(
            children(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <create>
                  <account id="07" balance="1000.5"/>
                  <symbol sym="SPY"><account id="07"> 100.25 </account><account id="8">0</account></symbol>
                  <account balance="0" id="8"></account>
                </create>
                """))
        .containsExactly(
            RequestChild.of(
                Kind.ACCOUNT,
                attributes("id", "07"),
                new ExchangeCommand.CreateAccount("07", null, 100_050_000_000L)),
            RequestChild.of(
                Kind.SHARES,
                attributes("sym", "SPY", "id", "07"),
                new ExchangeCommand.AddShares(new AccountKey.Xml("07"), "SPY", 1_002_500)),
            RequestChild.of(
                Kind.SHARES,
                attributes("sym", "SPY", "id", "8"),
                new ExchangeCommand.AddShares(new AccountKey.Xml("8"), "SPY", 0)),
            RequestChild.of(
                Kind.ACCOUNT,
                attributes("id", "8"),
                new ExchangeCommand.CreateAccount("8", null, 0)));
  }

  @Test
  void transactionsHaveOrdersQueriesAndCancelsInTheirOrder() {
    var account = new AccountKey.Xml("7");
    assertThat(
            transactions(
                "<cancel id='3'/><order limit='1.5' sym='A' amount='-2.0001'/><!-- c --><?p i?>"
                    + "<query id='4'/><order sym='A' amount='10' limit='125.50'/>"))
        .containsExactly(
            RequestChild.of(
                Kind.CANCEL, attributes("id", "3"), new ExchangeCommand.CancelOrder(account, 3)),
            RequestChild.of(
                Kind.ORDER,
                attributes("limit", "1.5", "sym", "A", "amount", "-2.0001"),
                new ExchangeCommand.PlaceOrder(account, "A", Side.SELL, 20_001, 15_000)),
            RequestChild.of(
                Kind.QUERY, attributes("id", "4"), new ExchangeRequest.FindOrder(account, 4)),
            RequestChild.of(
                Kind.ORDER,
                attributes("sym", "A", "amount", "10", "limit", "125.50"),
                new ExchangeCommand.PlaceOrder(account, "A", Side.BUY, 100_000, 1_255_000)));
  }

  @Test
  void elementWithUnusableAttributesIsRefusedAlone() {
    String plain =
        " must be a plain number with at most 4 decimals and at most 922337203685477.5807, got ";
    assertThat(
            transactions(
                "<order sym='A' amount='1.00001' limit='2'/>"
                    + "<order sym='A' amount='1' limit='1e3'/>"
                    + "<order sym='A' amount='-922337203685477.5808' limit='1'/>"
                    + "<order sym='A' amount='1'/>"
                    + "<order sym='A' amount='1' limit='1' type='market'/>"
                    + "<query/><query id='1'/>"))
        .extracting(RequestChild::refusal)
        .containsExactly(
            "amount" + plain + "\"1.00001\"",
            "limit" + plain + "\"1e3\"",
            "amount" + plain + "\"-922337203685477.5808\"",
            "order has no attribute limit",
            "unknown attribute type of order",
            "query has no attribute id",
            "");
    assertThat(children("<create><account id='1' balance='0.000000001'/></create>"))
        .containsExactly(
            RequestChild.refused(
                Kind.ACCOUNT,
                attributes("id", "1"),
                "balance must be a plain number with at most 8 decimals and at most"
                    + " 92233720368.54775807, got \"0.000000001\""));
    assertThat(children("<create><symbol><account id='1'>5</account></symbol></create>"))
        .containsExactly(
            RequestChild.refused(
                Kind.SHARES, attributes("id", "1"), "symbol has no attribute sym"));
    assertThat(children("<transactions><query id='1'/><cancel id='2'/></transactions>"))
        .extracting(RequestChild::refusal)
        .containsOnly("transactions has no attribute id")
        .hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "hello",
        "<create>",
        "<create></Create>",
        "<create/><create/>",
        "<create/>x",
        "<Create/>",
        "<order sym='A' amount='1' limit='1'/>",
        "<create x='1'/>",
        "<transactions id='1' id='2'/>",
        "<transactions id='1'><account id='1' balance='1'/></transactions>",
        "<create><order sym='A' amount='1' limit='1'/></create>",
        "<create>text</create>",
        "<create><account id='1' balance='1'>text</account></create>",
        "<create><account id='1' balance='1'><account id='2' balance='1'/></account></create>",
        "<create><symbol sym='A'><account id='1'><b/></account></symbol></create>",
        "<create><symbol sym='A'><order/></symbol></create>",
        "<create><account id='<' balance='1'/></create>",
        "<create>&nbsp;</create>",
        "<create>\u0001</create>",
        "<?xml version='1.0'?> <?xml version='1.0'?><create/>",
        "<!DOCTYPE create><create/>",
        "<!DOCTYPE create SYSTEM 'file:///etc/passwd'><create/>",
        "<!DOCTYPE create [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><create>&e;</create>",
        "<!DOCTYPE create [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;&a;'>]><create>&b;</create>",
        "<!DOCTYPE create [<!ENTITY % p SYSTEM 'http://127.0.0.1:1/x'>%p;]><create/>",
        "<create><account a='1' b='1' c='1' d='1' e='1' f='1' g='1' h='1' i='1' j='1' k='1' l='1'"
            + " m='1' n='1' o='1' p='1' q='1'/></create>"
      })
  void anythingElseMakesTheWholeRequestMalformed(String xml) {
    assertThat(parse(xml)).isInstanceOf(ParsedRequest.Malformed.class);
  }

  @Test
  void documentTypeIsRefusedBeforeItsEntitiesAreUsed() {
    assertThat(parse("<!DOCTYPE create [<!ENTITY a 'b'>]><create>&a;</create>"))
        .isEqualTo(
            new ParsedRequest.Malformed(
                "malformed request: line 1, column 37: a document type is not allowed"));
  }

  @Test
  void numberOfCommandsIsLimited() {
    String query = "<query id='1'/>";
    assertThat(transactions(query.repeat(RequestParser.MAX_CHILDREN))).hasSize(10_000);
    assertThat(
            parse(
                "<transactions id='1'>"
                    + query.repeat(RequestParser.MAX_CHILDREN + 1)
                    + "</transactions>"))
        .hasToString(
            "Malformed[message=malformed request: line 1, column 150037: a request must have at"
                + " most 10000 commands]");
  }

  @Test
  void depthIsLimited() {
    assertThat(parse("<create>" + "<symbol sym='A'>".repeat(50_000)))
        .isInstanceOf(ParsedRequest.Malformed.class);
  }

  @Test
  void documentIsUtf8WhateverItsDeclarationSays() {
    assertThat(children("<?xml version='1.0' encoding='ISO-8859-1'?><create/>")).isEmpty();
    assertThat(children("\uFEFF<?xml version='1.0' encoding='UTF-16'?><create/>")).isEmpty();
    byte[] latin =
        "<?xml version='1.0' encoding='ISO-8859-1'?><create><account id='é' balance='1'/></create>"
            .getBytes(ISO_8859_1);
    assertThat(parser.parse(latin, 0, latin.length))
        .isEqualTo(new ParsedRequest.Malformed("request is not UTF-8: Input length = 1"));
  }

  @Test
  void messageQuotesLittleOfTheRequest() {
    String name = "x".repeat(100_000);
    for (String xml :
        List.of(
            "<" + name + "/>",
            "<create " + name + "='1'/>",
            "<create>&" + name + ";</create>",
            "<a></" + name + ">")) {
      assertThat(parse(xml).toString()).hasSizeLessThan(600);
    }
  }
}
