package toystore.cli.launch;

import java.time.Duration;

/// The timeouts of the launcher.
///
/// @param start time from a start until a warning that it is slow
/// @param stop time from SIGTERM until SIGKILL
/// @param firstPause pause before the restart of a service that died twice without being ready;
///   doubled with every further death
/// @param longestPause the upper limit of the pauses
public record LauncherTimeouts(
    Duration start, Duration stop, Duration firstPause, Duration longestPause) {
  public static final LauncherTimeouts USUAL =
      new LauncherTimeouts(
          Duration.ofSeconds(60),
          Duration.ofSeconds(10),
          Duration.ofMillis(250),
          Duration.ofSeconds(5));

  /// The pause before the next start, after this many consecutive deaths without being ready.
  Duration pause(int earlyExits) {
    if (earlyExits == 0) {
      return Duration.ZERO;
    }
    int doublings = Math.min(earlyExits - 1, 16);
    Duration pause = firstPause.multipliedBy(1L << doublings);
    return pause.compareTo(longestPause) < 0 ? pause : longestPause;
  }
}
