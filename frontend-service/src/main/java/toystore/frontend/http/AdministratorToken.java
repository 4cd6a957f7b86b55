package toystore.frontend.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import toystore.service.StartRefused;
import toystore.service.StoreSettings;

/// The administrator's bearer token: the one in the settings, or one made at the first start and
/// kept in the data folder, readable by its owner alone. Never printed, never logged. Any thread.
@Component
final class AdministratorToken {
  private static final String SCHEME = "Bearer ";
  private static final int RANDOM_BYTES = 24;
  private static final Set<PosixFilePermission> OWNER_ALONE =
      PosixFilePermissions.fromString("rw-------");

  private final byte[] token;

  AdministratorToken(StoreSettings settings) {
    String given = settings.adminToken();
    token =
        (given == null ? kept(settings.data().resolve("admin-token")) : checked(given))
            .getBytes(StandardCharsets.UTF_8);
  }

  /// @param authorization the request's header
  Administrator check(@Nullable String authorization) {
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      throw ApiError.of(401, "the administrator's bearer token is needed");
    }
    String shown = authorization.substring(SCHEME.length()).strip();
    if (!MessageDigest.isEqual(shown.getBytes(StandardCharsets.UTF_8), token)) {
      throw ApiError.of(403, "this is not the administrator's token");
    }
    return new Administrator();
  }

  private static String checked(String given) {
    if (given.isBlank()) {
      throw new StartRefused("setting toystore.admin-token must be a token, got a blank one");
    }
    return given.strip();
  }

  private static String kept(Path file) {
    try {
      if (Files.notExists(file)) {
        make(file);
      }
      Files.setPosixFilePermissions(file, OWNER_ALONE);
      String token = Files.readString(file).strip();
      if (token.isEmpty()) {
        throw new StartRefused(file + " must hold the administrator's token, but is empty");
      }
      return token;
    } catch (IOException e) {
      throw new StartRefused("the administrator's token cannot be kept in " + file + ": " + e, e);
    }
  }

  /// Whole or not at all, also when the power fails: written beside, then moved to its place.
  private static void make(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    Files.createDirectories(folder);
    FileAttribute<?> ownerAlone = PosixFilePermissions.asFileAttribute(OWNER_ALONE);
    Path beside = Files.createTempFile(folder, "admin-token", ".new", ownerAlone);
    try (var out = FileChannel.open(beside, StandardOpenOption.WRITE)) {
      out.write(ByteBuffer.wrap((random() + "\n").getBytes(StandardCharsets.US_ASCII)));
      out.force(true);
    }
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String random() {
    var bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
