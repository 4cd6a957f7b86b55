package toystore.gatling.result;

/// The unit of measurement: one kind of call, by one number of concurrent clients, on one subject.
///
/// @param subject one of the stores (or network paths to one) that an experiment compares, such as
///   `processes`
/// @param kind such as `query` or `buy`
public record Cell(String subject, int clients, String kind) {
  private static final String WORD = "[a-z0-9][a-z0-9.-]*";

  public Cell {
    if (!subject.matches(WORD) || !kind.matches(WORD)) {
      throw new IllegalArgumentException(
          "expected a subject and a kind in lower case, found '%s' and '%s'"
              .formatted(subject, kind));
    }
    if (clients < 1) {
      throw new IllegalArgumentException("expected at least 1 client, found " + clients);
    }
  }

  /// Reads `processes/5/buy`.
  public static Cell parse(String text) {
    String[] parts = text.split("/", -1);
    if (parts.length != 3) {
      throw new IllegalArgumentException("expected SUBJECT/CLIENTS/KIND, found '" + text + "'");
    }
    return new Cell(parts[0], Integer.parseInt(parts[1]), parts[2]);
  }

  /// As `processes/5/buy`.
  @Override
  public String toString() {
    return subject + "/" + clients + "/" + kind;
  }
}
