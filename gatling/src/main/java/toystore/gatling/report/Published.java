package toystore.gatling.report;

public final class Published {
  private Published() {}

  public static Published shipped() {
    return new Published();
  }
}
