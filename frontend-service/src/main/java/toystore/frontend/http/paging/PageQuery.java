package toystore.frontend.http.paging;

import toystore.platform.text.Limits;

/// The query parameters of a list, as they were sent.
///
/// @param after where the page begins; empty: at the first entry
/// @param limit maximum number of entries; empty: the default
public record PageQuery(String after, String limit) {
  /// The number in `after`; 0: the first page.
  public long number() {
    return PagedResponse.parseAfter(after);
  }

  public int size() {
    return size(Limits.DEFAULT_PAGE);
  }

  public int size(int usual) {
    return limit.isEmpty()
        ? usual
        : (int) PagedResponse.parseNumber("limit", limit, 1, Limits.MAX_PAGE);
  }
}
