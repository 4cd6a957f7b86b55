package toystore.catalog;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A command as it waits for the till.
///
/// @param key null where a repeat does no harm
/// @param hash SHA-256 of the values it asks for, to tell a repeat from another request
/// @param decideBy the moment past which it is not carried out; null: none
/// @param cancelled whether nobody waits for its answer any more
record Request(
    Command command,
    @Nullable Key key,
    byte[] hash,
    @Nullable Instant decideBy,
    BooleanSupplier cancelled) {
  Request(
      Command command, @Nullable Key key, @Nullable Instant decideBy, BooleanSupplier cancelled) {
    this(command, key, key == null ? new byte[0] : hash(command), decideBy, cancelled);
  }

  /// For one that is waited for as long as it takes.
  static Request of(Command command) {
    return new Request(command, null, null, () -> false);
  }

  private static byte[] hash(Command command) {
    MessageDigest sha = sha256();
    for (Object value : command.values()) {
      byte[] bytes = value.toString().getBytes(StandardCharsets.UTF_8);
      sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
      sha.update(bytes);
    }
    return sha.digest();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has it", e);
    }
  }
}
