package toystore.exchange.xml;

/// What [FrameReader] reads next.
sealed interface RequestFrame {
  /// Its bytes are valid until the next read.
  record Document(byte[] buffer, int offset, int length) implements RequestFrame {}

  /// The length line or the length is wrong, or the request did not arrive. Where the next request
  /// begins is unknown.
  ///
  /// @param message for the client
  record Unreadable(String message) implements RequestFrame {}
}
