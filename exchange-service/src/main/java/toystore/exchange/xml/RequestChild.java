package toystore.exchange.xml;

import java.util.List;
import org.jspecify.annotations.Nullable;
import toystore.exchange.domain.ExchangeRequest;

/// A command or a query, or the reason why it is none.
///
/// @param attributes as they were sent, to be repeated in the answer
/// @param request null if the element has a refusal
record RequestChild(
    Kind kind, List<Attribute> attributes, @Nullable ExchangeRequest request, String refusal) {

  /// One `symbol` has a child for each of its accounts.
  enum Kind {
    ACCOUNT,
    SHARES,
    ORDER,
    QUERY,
    CANCEL
  }

  record Attribute(String name, String value) {}

  static RequestChild of(Kind kind, List<Attribute> attributes, ExchangeRequest request) {
    return new RequestChild(kind, attributes, request, "");
  }

  static RequestChild refused(Kind kind, List<Attribute> attributes, String refusal) {
    return new RequestChild(kind, attributes, null, refusal);
  }
}
