package toystore.platform.idempotency;

/// The smallest answer that may be repeated.
record TestResponse(String text, boolean replayed) {
  static final TestResponse REUSED = new TestResponse("reused", false);

  static TestResponse of(String text) {
    return new TestResponse(text, false);
  }

  /// What begins with `refused` is a refusal, what begins with `late` is not kept.
  static final class Replies implements ResponseCodec<TestResponse> {
    @Override
    public Keeping keeping(TestResponse reply) {
      return reply.text().startsWith("refused")
          ? Keeping.A_DAY
          : reply.text().startsWith("late") ? Keeping.NOT : Keeping.FOR_EVER;
    }

    @Override
    public TestResponse replayed(TestResponse reply) {
      return new TestResponse(reply.text(), true);
    }

    @Override
    public TestResponse reused() {
      return REUSED;
    }
  }
}
