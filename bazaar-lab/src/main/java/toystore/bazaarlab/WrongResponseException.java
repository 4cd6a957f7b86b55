package toystore.bazaarlab;

/// An answer that cannot be: nothing is reported of a run that got one. Its message says what was
/// wanted and what came.
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
