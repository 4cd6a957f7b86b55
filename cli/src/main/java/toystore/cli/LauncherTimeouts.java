package toystore.cli;

import java.time.Duration;

/// How long the launcher waits for what.
///
/// @param start from a start until it is told that it takes long
/// @param stop from SIGTERM until SIGKILL
/// @param firstPause before a service that died twice without being ready is started again; doubled
///   with every further death
/// @param longestPause what the pauses grow to
record LauncherTimeouts(Duration start, Duration stop, Duration firstPause, Duration longestPause) {
  static final LauncherTimeouts USUAL =
      new LauncherTimeouts(
          Duration.ofSeconds(60),
          Duration.ofSeconds(10),
          Duration.ofMillis(250),
          Duration.ofSeconds(5));

  /// The pause before the next start, after so many deaths in a row without being ready.
  Duration pause(int earlyDeaths) {
    if (earlyDeaths == 0) {
      return Duration.ZERO;
    }
    var doublings = Math.min(earlyDeaths - 1, 16);
    var pause = firstPause.multipliedBy(1L << doublings);
    return pause.compareTo(longestPause) < 0 ? pause : longestPause;
  }
}
