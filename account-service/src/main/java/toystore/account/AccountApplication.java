package toystore.account;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;
import toystore.platform.service.DatabaseConfiguration;
import toystore.platform.service.ServiceProcess;

/// The Spring application of the account service. Beans are declared before the beans that use
/// them.
@SpringBootApplication(proxyBeanMethods = false)
@Import(DatabaseConfiguration.class)
@EnableConfigurationProperties(AccountSettings.class)
public class AccountApplication {
  public static final String NAME = "account-service";
  public static final Class<? extends Record> SETTINGS = AccountSettings.class;

  public static void main(String[] args) {
    ServiceProcess.run(AccountApplication.class, NAME, SETTINGS, args);
  }
}
