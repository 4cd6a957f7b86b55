package toystore.platform.idempotency;

/// The smallest answer that may be repeated.
record TestResponse(String text, boolean replayed) {
  static final TestResponse REUSED = new TestResponse("reused", false);

  static TestResponse of(String text) {
    return new TestResponse(text, false);
  }

  /// What begins with `refused` is a refusal, what begins with `late` is not kept.
  static final class Replies implements StoredResponseCodec<TestResponse> {
    @Override
    public Retention retention(TestResponse reply) {
      return reply.text().startsWith("refused")
          ? Retention.ONE_DAY
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
