package toystore.frontend.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Collections;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import toystore.service.watch.Trail;

/// The answer's `Server-Timing` header, for a request that prefers it (a preference as in RFC
/// 7240).
final class ServerTiming {
  private static final String PREFERENCE = "server-timing";

  private ServerTiming() {}

  /// `Prefer: a, server-timing; b` prefers it, too.
  static boolean isPreferred(HttpServletRequest request) {
    if (request.getHeader("Prefer") == null) {
      return false;
    }
    for (String header : Collections.list(request.getHeaders("Prefer"))) {
      for (String preference : header.split(",")) {
        if (preference.split(";")[0].strip().toLowerCase(Locale.ROOT).equals(PREFERENCE)) {
          return true;
        }
      }
    }
    return false;
  }

  /// Tells the times so far, where they were asked for. It must be now: Tomcat sends the head with
  /// the last byte of the body.
  static void tell(@Nullable Trail trail, HttpServletResponse response) {
    if (trail != null && trail.timings() != null && !response.isCommitted()) {
      response.setHeader("Preference-Applied", PREFERENCE);
      response.setHeader("Server-Timing", trail.timings().within("frontend", trail.soFar()));
    }
  }
}
