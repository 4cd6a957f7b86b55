package toystore.clients.load;

/// The result of the check of a response.
public sealed interface Verdict {
  /// The expected response.
  record Correct() implements Verdict {}

  /// A valid refusal.
  ///
  /// @param why such as "sold out"
  record Refused(String why, String response) implements Verdict {}

  /// Any other response.
  ///
  /// @param kind such as "status 503, expected 200"
  record Wrong(String kind, String response) implements Verdict {}
}
