package toystore.platform.storage;

import org.jspecify.annotations.Nullable;

/// An assumption with which a batch was decided proved wrong. The [SingleWriter] rolls the batch
/// back and decides the same commands again; the journal no longer makes the assumption.
public final class DecideAgainException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DecideAgainException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
