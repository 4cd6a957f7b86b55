package toystore.platform.service;

import static toystore.common.RootLocale.format;

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
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Lazy;
import toystore.platform.storage.DirectoryFsync;
import toystore.platform.storage.OwnerPermissions;
import toystore.platform.text.Sha256;

/// The administrator's bearer token, taken from the settings or else from a file that only its
/// owner can read. The first service that starts creates the file. Services that share a data
/// folder therefore use the same token. The token is never printed or logged. Any thread.
@Lazy
public final class AdministratorToken {
  static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final Logger log = LoggerFactory.getLogger(AdministratorToken.class);
  private static final String SCHEME = "Bearer ";
  private static final int RANDOM_BYTES = 24;

  private final String token;

  public enum Shown {
    ADMINISTRATOR,
    NONE,
    OTHER
  }

  public AdministratorToken(SharedSettings settings) {
    String configured = settings.adminToken();
    token =
        configured == null
            ? fromFile(settings.tokenFile())
            : validate(configured, "setting toystore.admin-token");
  }

  /// @param authorization value of the header or metadata entry `authorization`
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

  /// A code of a text that only who knows the token can make.
  public String mac(String text) {
    return Sha256.mac(token, text);
  }

  public ClientInterceptor clientInterceptor() {
    var headers = new Metadata();
    headers.put(AUTHORIZATION, SCHEME + token);
    return MetadataUtils.newAttachHeadersInterceptor(headers);
  }

  private static String validate(String configured, String where) {
    String token = configured.strip();
    if (token.isEmpty() || token.chars().anyMatch(c -> c < ' ' || c > '~')) {
      throw new StartupException(
          format(
              "%s must be a token of printable ASCII characters, got %s",
              where, token.isEmpty() ? "an empty text" : "other characters"));
    }
    return token;
  }

  private static String fromFile(Path file) {
    try {
      DirectoryFsync.createParent(file);
      return validate(readOrCreate(file), file.toString());
    } catch (IOException e) {
      throw new StartupException(
          "cannot read or create the file of the administrator's token, " + file + ": " + e, e);
    }
  }

  /// Uses a file lock, because several services may start at the same time and all must use the
  /// token of the first.
  private static String readOrCreate(Path file) throws IOException {
    try (var channel =
            FileChannel.open(
                file,
                Set.of(
                    StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                OwnerPermissions.newFile());
        var _ = channel.lock()) {
      if (channel.size() == 0) { // a file that someone else wrote keeps its permissions
        restrict(file);
        channel.write(ByteBuffer.wrap((newToken() + "\n").getBytes(StandardCharsets.US_ASCII)));
        channel.force(true);
      }
      return Files.readString(file);
    }
  }

  private static void restrict(Path file) {
    try {
      OwnerPermissions.restrictFile(file);
    } catch (IOException e) { // such as a file system without permissions, or another owner
      log.warn("cannot make {} readable by its owner only: {}", file, e.toString());
    }
  }

  private static String newToken() {
    var bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
