package toystore.platform.idempotency;

/// Why a test refuses a command.
enum TestRefusal implements RefusalReason {
  REFUSED;

  @Override
  public boolean isKept() {
    return true;
  }
}
