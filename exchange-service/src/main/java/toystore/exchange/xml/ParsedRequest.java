package toystore.exchange.xml;

import java.util.List;

sealed interface ParsedRequest {
  record Valid(List<RequestChild> children) implements ParsedRequest {}

  /// Nothing of the request is executed.
  ///
  /// @param message for the client
  record Malformed(String message) implements ParsedRequest {}
}
