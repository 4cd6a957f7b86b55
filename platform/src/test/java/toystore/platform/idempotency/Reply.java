package toystore.platform.idempotency;

/// The smallest answer that may be repeated.
record Reply(String text, boolean replayed) {
  static final Reply REUSED = new Reply("reused", false);

  static Reply of(String text) {
    return new Reply(text, false);
  }

  /// What begins with `refused` is a refusal, what begins with `late` is not kept.
  static final class Replies implements Repeatable<Reply> {
    @Override
    public Keeping keeping(Reply reply) {
      return reply.text().startsWith("refused")
          ? Keeping.A_DAY
          : reply.text().startsWith("late") ? Keeping.NOT : Keeping.FOR_EVER;
    }

    @Override
    public Reply replayed(Reply reply) {
      return new Reply(reply.text(), true);
    }

    @Override
    public Reply reused() {
      return REUSED;
    }
  }
}
