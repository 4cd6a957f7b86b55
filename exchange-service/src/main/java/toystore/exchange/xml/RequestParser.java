package toystore.exchange.xml;

import static toystore.common.RootLocale.format;

import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;
import toystore.exchange.domain.AccountKey;
import toystore.exchange.domain.ExchangeCommand;
import toystore.exchange.domain.ExchangeRequest;
import toystore.exchange.engine.FixedPoint;
import toystore.exchange.engine.Side;
import toystore.exchange.xml.RequestChild.Attribute;
import toystore.exchange.xml.RequestChild.Kind;

/// Parses the whole request before anything of it is executed. Malformed XML, an unknown element,
/// text or a document type makes it [ParsedRequest.Malformed]; a missing, unknown or unusable
/// attribute refuses only its [RequestChild]. Documents are UTF-8 whatever their declaration says,
/// and have no entities but those of XML itself. Any thread.
final class RequestParser {
  static final int MAX_CHILDREN = 10_000;

  /// Answers repeat it. Valid ones have at most 64.
  private static final int MAX_ATTRIBUTE = 1_000;

  private static final int CHILD_BYTES = 400; // of the heap
  private static final int SHORTEST_CHILD = "<query/>".length();
  private static final String MAX_ATTRIBUTES = "16";
  private static final String MAX_DEPTH = "8"; // a valid request has 3
  private static final int MAX_QUOTED = 200;

  private final XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
  private final ReentrantLock factoryLock = new ReentrantLock(); // factories may be unsafe

  RequestParser() {
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
    factory.setProperty("jdk.xml.elementAttributeLimit", MAX_ATTRIBUTES);
    factory.setProperty("jdk.xml.maxElementDepth", MAX_DEPTH);
  }

  /// The most that the commands of a document of this length take.
  static long heapBytes(int length) {
    return heapBytesOf(Math.min(MAX_CHILDREN, length / SHORTEST_CHILD)) + length;
  }

  /// About.
  static long heapBytesOf(int children) {
    return (long) CHILD_BYTES * children;
  }

  ParsedRequest parse(byte[] bytes, int offset, int length) {
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, offset, length));
      return new ParsedRequest.Valid(new Document(reader(text.toString())).children());
    } catch (CharacterCodingException e) {
      return new ParsedRequest.Malformed("request is not UTF-8: " + e.getMessage());
    } catch (XMLStreamException e) {
      return new ParsedRequest.Malformed(message(e));
    }
  }

  private XMLStreamReader reader(String text) throws XMLStreamException {
    factoryLock.lock();
    try {
      boolean byteOrderMark = text.startsWith("\uFEFF");
      return factory.createXMLStreamReader(
          new StringReader(byteOrderMark ? text.substring(1) : text));
    } finally {
      factoryLock.unlock();
    }
  }

  /// The JDK's message has the position and `Message: ` in front.
  private static String message(XMLStreamException e) {
    String text = String.valueOf(e.getMessage()).replaceFirst("(?s)^ParseError.*?Message: ", "");
    return format(
        "malformed request: line %d, column %d: %s",
        e.getLocation().getLineNumber(), e.getLocation().getColumnNumber(), shortened(text));
  }

  private static String shortened(String text) {
    return text.length() <= MAX_QUOTED ? text : text.substring(0, MAX_QUOTED) + "…";
  }

  /// Each method begins after the start tag of its element and ends after its end tag. One thread.
  private static final class Document {
    private final XMLStreamReader xml;
    private final List<RequestChild> children = new ArrayList<>();

    Document(XMLStreamReader xml) {
      this.xml = xml;
    }

    List<RequestChild> children() throws XMLStreamException {
      if (!nextElement()) {
        throw malformed("expected create or transactions");
      }
      switch (xml.getLocalName()) {
        case "create" -> create();
        case "transactions" -> transactions();
        default -> throw unknown("create or transactions");
      }
      while (xml.hasNext()) {
        xml.next(); // the parser refuses anything but comments and whitespace
      }
      return children;
    }

    private void create() throws XMLStreamException {
      checkRoot(Set.of());
      while (nextElement()) {
        switch (xml.getLocalName()) {
          case "account" -> account();
          case "symbol" -> symbol();
          default -> throw unknown("account or symbol");
        }
      }
    }

    private void account() throws XMLStreamException {
      var element = new Element("id", "balance");
      String id = element.text("id");
      long balanceE8 = element.number("balance", element.text("balance"), FixedPoint.CASH);
      element.attributes.removeIf(it -> it.name().equals("balance")); // an answer has the id alone
      end();
      add(element, Kind.ACCOUNT, new ExchangeCommand.CreateAccount(id, null, balanceE8));
    }

    private void symbol() throws XMLStreamException {
      var symbol = new Element("sym");
      String name = symbol.text("sym");
      while (nextElement()) {
        if (!xml.getLocalName().equals("account")) {
          throw unknown("account");
        }
        var element = new Element(symbol, "id");
        var account = new AccountKey.Xml(element.text("id"));
        String shares = xml.getElementText().strip(); // throws if there are elements
        long sharesE4 = element.number("number of shares", shares, FixedPoint.SHARES);
        add(element, Kind.SHARES, new ExchangeCommand.AddShares(account, name, sharesE4));
      }
    }

    private void transactions() throws XMLStreamException {
      checkRoot(Set.of("id"));
      String account = xml.getAttributeValue(null, "id");
      if (account != null && account.length() > MAX_ATTRIBUTE) {
        throw malformed(
            format(
                "attribute id of transactions must have at most %d characters, got %d",
                MAX_ATTRIBUTE, account.length()));
      }
      while (nextElement()) {
        switch (xml.getLocalName()) {
          case "order" -> order(account);
          case "query" -> byId(Kind.QUERY, account);
          case "cancel" -> byId(Kind.CANCEL, account);
          default -> throw unknown("order, query or cancel");
        }
      }
    }

    private void order(@Nullable String accountId) throws XMLStreamException {
      var element = new Element("sym", "amount", "limit");
      AccountKey account = element.account(accountId);
      long amountE4 = element.number("amount", element.text("amount"), FixedPoint.SHARES);
      long limitE4 = element.number("limit", element.text("limit"), FixedPoint.PRICE);
      Side side = amountE4 < 0 ? Side.SELL : Side.BUY;
      end();
      add(
          element,
          Kind.ORDER,
          new ExchangeCommand.PlaceOrder(
              account, element.text("sym"), side, Math.abs(amountE4), limitE4));
    }

    private void byId(Kind kind, @Nullable String accountId) throws XMLStreamException {
      var element = new Element("id");
      AccountKey account = element.account(accountId);
      long order = element.number("order id", element.text("id"), 0);
      end();
      add(
          element,
          kind,
          kind == Kind.QUERY
              ? new ExchangeRequest.FindOrder(account, order)
              : new ExchangeCommand.CancelOrder(account, order));
    }

    private void add(Element element, Kind kind, ExchangeRequest request)
        throws XMLStreamException {
      if (children.size() == MAX_CHILDREN) {
        throw malformed(format("a request must have at most %d commands", MAX_CHILDREN));
      }
      children.add(
          element.refusal == null
              ? RequestChild.of(kind, element.attributes, request)
              : RequestChild.refused(kind, element.attributes, element.refusal));
    }

    private void checkRoot(Set<String> allowed) throws XMLStreamException {
      for (int i = 0; i < xml.getAttributeCount(); i++) {
        if (!allowed.contains(xml.getAttributeLocalName(i))) {
          throw malformed(unknownAttribute(xml, i));
        }
      }
    }

    /// The attributes of the current element, and the first reason why they are not usable.
    private final class Element {
      private final String name = xml.getLocalName();
      private final List<Attribute> attributes = new ArrayList<>();
      private @Nullable String refusal;

      Element(String... expected) throws XMLStreamException {
        for (int i = 0; i < xml.getAttributeCount(); i++) {
          String attribute = xml.getAttributeLocalName(i);
          if (xml.getAttributeValue(i).length() > MAX_ATTRIBUTE) {
            throw malformed(
                format(
                    "attribute %s of %s must have at most %d characters, got %d",
                    shortened(attribute), name, MAX_ATTRIBUTE, xml.getAttributeValue(i).length()));
          }
          if (List.of(expected).contains(attribute)) {
            attributes.add(new Attribute(attribute, xml.getAttributeValue(i)));
          } else {
            refuse(unknownAttribute(xml, i));
          }
        }
      }

      /// With the attributes of the element around it before its own.
      Element(Element around, String... expected) throws XMLStreamException {
        this(expected);
        attributes.addAll(0, around.attributes);
        refusal = around.refusal == null ? refusal : around.refusal;
      }

      AccountKey account(@Nullable String id) {
        if (id == null) {
          refuse("transactions has no attribute id");
        }
        return new AccountKey.Xml(id == null ? "" : id);
      }

      String text(String attribute) {
        for (Attribute it : attributes) {
          if (it.name().equals(attribute)) {
            return it.value();
          }
        }
        refuse(format("%s has no attribute %s", name, attribute));
        return "";
      }

      long number(String what, String text, int decimals) {
        OptionalLong number = FixedPoint.parse(text, decimals);
        if (number.isPresent() && number.getAsLong() != Long.MIN_VALUE) {
          return number.getAsLong();
        }
        refuse(
            format(
                "%s must be a plain number with at most %d decimals and at most %s, got \"%s\"",
                what, decimals, FixedPoint.format(Long.MAX_VALUE, decimals), shortened(text)));
        return 0;
      }

      private void refuse(String reason) {
        refusal = refusal == null ? reason : refusal;
      }
    }

    private static String unknownAttribute(XMLStreamReader xml, int i) {
      return format(
          "unknown attribute %s of %s",
          shortened(xml.getAttributeLocalName(i)), xml.getLocalName());
    }

    /// False if the current element ends first.
    private boolean nextElement() throws XMLStreamException {
      while (xml.hasNext()) {
        switch (xml.next()) {
          case XMLStreamConstants.START_ELEMENT -> {
            return true;
          }
          case XMLStreamConstants.END_ELEMENT -> {
            return false;
          }
          case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
            if (!xml.isWhiteSpace()) {
              throw malformed("unexpected text");
            }
          }
          case XMLStreamConstants.DTD -> throw malformed("a document type is not allowed");
          default -> {} // comments and processing instructions
        }
      }
      return false;
    }

    private void end() throws XMLStreamException {
      String name = xml.getLocalName();
      if (nextElement()) {
        throw unknown("the end of " + name);
      }
    }

    private XMLStreamException unknown(String expected) {
      return malformed(
          format("unexpected element %s, expected %s", shortened(xml.getLocalName()), expected));
    }

    private XMLStreamException malformed(String message) {
      return new XMLStreamException(message, xml.getLocation());
    }
  }
}
