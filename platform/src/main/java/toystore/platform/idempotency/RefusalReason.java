package toystore.platform.idempotency;

/// Why a service refuses commands. Each service has an enum, whose names are stored on disk.
public interface RefusalReason {
  /// Whether a repeat with the client's own key gets the same refusal, for a day. Otherwise it is
  /// decided again.
  boolean isKept();
}
