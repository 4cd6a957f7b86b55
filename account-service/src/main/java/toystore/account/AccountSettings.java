package toystore.account;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.platform.service.SettingCheck;

/// Settings of the account service.
///
/// @param bcryptStrength binary logarithm of bcrypt's rounds for new accounts, 4 to 16
@ConfigurationProperties("toystore.account")
record AccountSettings(@DefaultValue("10") int bcryptStrength) {
  AccountSettings {
    SettingCheck.range("toystore.account.bcrypt-strength", bcryptStrength, 4, 16);
  }
}
