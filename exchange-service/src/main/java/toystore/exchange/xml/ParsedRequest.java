package toystore.exchange.xml;

import java.util.List;

/// The result of parsing a request.
sealed interface ParsedRequest {
  record Valid(List<RequestChild> children) implements ParsedRequest {}

  /// Nothing of the request is executed.
  ///
  /// @param message what is wrong, for the client
  record Malformed(String message) implements ParsedRequest {}
}
