package toystore.account;

import java.time.InstantSource;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import toystore.platform.service.DatabaseConfiguration;
import toystore.platform.service.ServiceManifest;
import toystore.platform.service.ServiceProcess;
import toystore.platform.service.StorageStartup;
import toystore.platform.storage.BatchStore;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;
import toystore.platform.storage.WriterListener;

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

  @Bean
  Sessions sessions(AccountSettings settings) {
    return new Sessions(settings.sessionIdle());
  }

  @Bean
  Ratings ratings() {
    return new Ratings();
  }

  @Bean
  AccountBatchStore accountBatchStore(SqliteFile file, Sessions sessions, Ratings ratings) {
    return StorageStartup.open(() ->
        file.load(() -> new AccountBatchStore(file, sessions, ratings, InstantSource.system())));
  }

  /// @param batchStore the [AccountBatchStore], or a wrapper from a test
  @Bean
  SingleWriter<PendingAccountCommand, AccountResult> accountWriter(
      BatchStore<PendingAccountCommand, AccountResult> batchStore,
      AccountSettings settings,
      ServiceManifest service,
      WriterListener listener) {
    return new SingleWriter<>(
        service.name(),
        batchStore,
        settings.queue(),
        settings.batch(),
        ServiceProcess::exitAfterDiskFailure,
        listener);
  }
}
