package toystore.platform.idempotency;

/// Why a test refuses a command.
enum TestRefusal implements RefusalReason {
  KEPT,
  NOT_KEPT;

  @Override
  public boolean isKept() {
    return this == KEPT;
  }
}
