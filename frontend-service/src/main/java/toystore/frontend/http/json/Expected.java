package toystore.frontend.http.json;

/// Messages of constraints that several requests have: what a field must be.
public final class Expected {
  public static final String TEXT = "must be a non-empty string";
  public static final String COUNT = "must be an integer from 1 to 2147483647";

  private Expected() {}
}
