package toystore.bazaarlab;

/// A response is wrong, so the run fails without a report. The message states the request, what was
/// expected and what was received.
final class WrongResponseException extends RuntimeException {
  private static final long serialVersionUID = 1;

  WrongResponseException(String request, String expected, Object received) {
    super(
        "%s: expected %s, received %s"
            .formatted(request, expected, received)
            .strip()
            .replace('\n', ' '));
  }
}
