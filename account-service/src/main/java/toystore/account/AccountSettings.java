package toystore.account;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.platform.service.SettingRange;

/// Settings of the account service.
///
/// @param queue capacity of the writer's queue, 1 to 1,000,000
/// @param batch maximum number of commands in a batch, 1 to 10,000
/// @param bcryptStrength binary logarithm of bcrypt's rounds for new accounts, 4 to 16
/// @param hashingThreads number of threads that hash passwords, 1 to 100
/// @param hashingQueue maximum number of passwords that wait to be hashed, 1 to 1,000,000
/// @param hashingPerUser maximum registrations and logins of one username that wait or are hashed,
///   1 to 1,000,000
/// @param hashingPerAddress the same from one client address, 1 to 1,000,000
/// @param sessionIdle time without use after which a session ends, 1 s to 24 h
/// @param failedLoginsPerUser maximum failed logins of a username from one address in the window, 1
///   to 10,000
/// @param failedLoginsPerAddress maximum failed logins from one address in the window, 1 to 10,000
/// @param failedLoginWindow time for which a failed login counts, 1 s to 24 h
@ConfigurationProperties("toystore.account")
record AccountSettings(
    @DefaultValue("10000") int queue,
    @DefaultValue("500") int batch,
    @DefaultValue("10") int bcryptStrength,
    @DefaultValue("2") int hashingThreads,
    @DefaultValue("1000") int hashingQueue,
    @DefaultValue("100") int hashingPerUser,
    @DefaultValue("250") int hashingPerAddress,
    @DefaultValue("5m") Duration sessionIdle,
    @DefaultValue("10") int failedLoginsPerUser,
    @DefaultValue("100") int failedLoginsPerAddress,
    @DefaultValue("5m") Duration failedLoginWindow) {
  private static final long DAY_SECONDS = 86_400;

  AccountSettings {
    SettingRange.check("toystore.account.queue", queue, 1, 1_000_000);
    SettingRange.check("toystore.account.batch", batch, 1, 10_000);
    SettingRange.check("toystore.account.bcrypt-strength", bcryptStrength, 4, 16);
    SettingRange.check("toystore.account.hashing-threads", hashingThreads, 1, 100);
    SettingRange.check("toystore.account.hashing-queue", hashingQueue, 1, 1_000_000);
    SettingRange.check("toystore.account.hashing-per-user", hashingPerUser, 1, 1_000_000);
    SettingRange.check("toystore.account.hashing-per-address", hashingPerAddress, 1, 1_000_000);
    SettingRange.check(
        "toystore.account.session-idle (in s)", sessionIdle.toSeconds(), 1, DAY_SECONDS);
    SettingRange.check("toystore.account.failed-logins-per-user", failedLoginsPerUser, 1, 10_000);
    SettingRange.check(
        "toystore.account.failed-logins-per-address", failedLoginsPerAddress, 1, 10_000);
    SettingRange.check(
        "toystore.account.failed-login-window (in s)",
        failedLoginWindow.toSeconds(),
        1,
        DAY_SECONDS);
  }
}
