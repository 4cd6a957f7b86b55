package toystore.platform.service;

/// What a setting may be.
public final class SettingRange {
  private SettingRange() {}

  /// @throws StartRefused that names the setting, what it may be and what came
  public static void check(String setting, long value, long least, long most) {
    if (value < least || value > most) {
      throw new StartupException(
          "setting %s must be from %d to %d, got %d".formatted(setting, least, most, value));
    }
  }
}
