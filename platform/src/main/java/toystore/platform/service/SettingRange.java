package toystore.platform.service;

import static toystore.common.RootLocale.format;

/// Checks that a setting is in its range.
public final class SettingRange {
  private SettingRange() {}

  /// @throws StartupException with the setting, the allowed range and the received value
  public static void check(String setting, long value, long min, long max) {
    if (value < min || value > max) {
      throw new StartupException(
          format("setting %s must be from %d to %d, got %d", setting, min, max, value));
    }
  }
}
