package toystore.platform.idempotency;

/// A minimal answer that can be stored and repeated.
record TestResponse(String text, boolean replayed) {
  static final TestResponse REUSED = new TestResponse("reused", false);

  static TestResponse of(String text) {
    return new TestResponse(text, false);
  }

  /// Keeps a text that begins with `refused` for a day, and does not keep a text that begins with
  /// `late`. All other texts are kept forever.
  static final class Replies implements IdempotencyPolicy<TestResponse> {
    @Override
    public Retention retention(TestResponse reply) {
      return reply.text().startsWith("refused")
          ? Retention.REFUSAL_ONE_DAY
          : reply.text().startsWith("late") ? Retention.NONE : Retention.FOREVER;
    }

    @Override
    public TestResponse replayed(TestResponse reply) {
      return new TestResponse(reply.text(), true);
    }

    @Override
    public TestResponse keyReused() {
      return REUSED;
    }
  }
}
