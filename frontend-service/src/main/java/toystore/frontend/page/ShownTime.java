package toystore.frontend.page;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// A time as pages show it: `27 November 2026 at 08:05 UTC`.
public final class ShownTime {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("d MMMM uuuu 'at' HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private ShownTime() {}

  /// @param time in RFC 3339 format
  public static String of(String time) {
    return FORMAT.format(Instant.parse(time));
  }
}
