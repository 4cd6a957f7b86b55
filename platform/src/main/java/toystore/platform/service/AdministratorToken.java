package toystore.platform.service;

import io.grpc.ClientInterceptor;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import toystore.platform.storage.DirectorySync;

/// The administrator's bearer token: the one in the settings, or the one in its file, readable by
/// its owner alone. The first service to start makes the file; services that share a data folder
/// agree by it. Never printed, never logged. Any thread.
public final class AdministratorToken {
  static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final String SCHEME = "Bearer ";
  private static final int RANDOM_BYTES = 24;
  private static final Set<PosixFilePermission> OWNER_ALONE =
      PosixFilePermissions.fromString("rw-------");

  private final String token;

  /// Who shows it, or not.
  public enum Shown {
    ADMINISTRATOR,
    /// No token was shown.
    NONE,
    /// Another's.
    OTHER
  }

  public AdministratorToken(StoreSettings settings) {
    String given = settings.adminToken();
    token =
        given == null ? kept(settings.tokenFile()) : checked(given, "setting toystore.admin-token");
  }

  /// @param authorization what stands in the header or metadata of that name
  public Shown check(@Nullable String authorization) {
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return Shown.NONE;
    }
    byte[] shown =
        authorization.substring(SCHEME.length()).strip().getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(shown, token.getBytes(StandardCharsets.UTF_8))
        ? Shown.ADMINISTRATOR
        : Shown.OTHER;
  }

  /// Lets each call of a stub bear the token.
  public ClientInterceptor onCalls() {
    var headers = new Metadata();
    headers.put(AUTHORIZATION, SCHEME + token);
    return MetadataUtils.newAttachHeadersInterceptor(headers);
  }

  private static String checked(String given, String where) {
    String token = given.strip();
    if (token.isEmpty() || token.chars().anyMatch(c -> c < ' ' || c > '~')) {
      throw new StartupException(
          "%s must be a token of printable ASCII characters, got %s"
              .formatted(where, token.isEmpty() ? "an empty text" : "other characters"));
    }
    return token;
  }

  private static String kept(Path file) {
    try {
      DirectorySync.makeFor(file);
      return checked(readOrMake(file), file.toString());
    } catch (IOException e) {
      throw new StartupException(
          "cannot read or create the file of the administrator's token, " + file + ": " + e, e);
    }
  }

  /// Under a lock: several services may start at once, and all take the token of the first.
  private static String readOrMake(Path file) throws IOException {
    try (var channel =
            FileChannel.open(
                file,
                Set.of(
                    StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(OWNER_ALONE));
        var _ = channel.lock()) {
      Files.setPosixFilePermissions(file, OWNER_ALONE);
      if (channel.size() == 0) {
        channel.write(ByteBuffer.wrap((random() + "\n").getBytes(StandardCharsets.US_ASCII)));
        channel.force(true);
      }
      return Files.readString(file);
    }
  }

  private static String random() {
    var bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
