package toystore.clients.load;

import java.io.IOException;

/// A response was wrong, so that a further request cannot be sent.
public final class UnexpectedResponseException extends IOException {
  private final Verdict.Wrong verdict;

  /// @param request such as `POST /api/buyers/login`
  UnexpectedResponseException(String request, Verdict.Wrong verdict) {
    super(request + ": " + verdict.kind() + ": " + verdict.response());
    this.verdict = new Verdict.Wrong(request + ": " + verdict.kind(), verdict.response());
  }

  Verdict.Wrong verdict() {
    return verdict;
  }
}
