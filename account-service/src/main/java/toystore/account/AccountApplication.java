package toystore.account;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import toystore.account.domain.FailedLogins;
import toystore.account.domain.Ratings;
import toystore.account.domain.Role;
import toystore.account.domain.Sessions;
import toystore.account.rpc.FairOrder;
import toystore.account.rpc.PasswordHasher;
import toystore.account.storage.AccountAudit;
import toystore.account.storage.AccountBatches;
import toystore.platform.service.DatabaseConfiguration;
import toystore.platform.service.ServiceProcess;
import toystore.platform.storage.Database;
import toystore.platform.storage.ReadPool;

/// The Spring application of the account service. Beans are declared before the beans that use
/// them; tests replace those marked as fallback.
@SpringBootApplication(proxyBeanMethods = false)
@EnableScheduling
@Import(DatabaseConfiguration.class)
@EnableConfigurationProperties(AccountSettings.class)
public class AccountApplication {
  public static final String NAME = "account-service";
  public static final Class<? extends Record> SETTINGS = AccountSettings.class;

  private static final Duration SESSION_IDLE = Duration.ofMinutes(5);

  private static final int MAX_SESSIONS = 100_000;

  private static final int HASHING_THREADS = 2;
  private static final int HASHING_QUEUE = 1_000;
  private static final int HASHING_PER_ADDRESS = 200;

  private static final Duration FAILED_LOGIN_WINDOW = Duration.ofMinutes(5);

  /// Of one username from one address.
  private static final int FAILED_LOGINS_PER_USER = 10;

  private static final int FAILED_LOGINS_PER_ADDRESS = 100;

  /// A frontend waits 10 s for a registration or login.
  private static final Duration MAX_HASHING_TIME = Duration.ofSeconds(8);

  public static void main(String[] args) {
    ServiceProcess.run(AccountApplication.class, NAME, SETTINGS, args);
  }

  @Bean
  @Fallback
  InstantSource clock() {
    return InstantSource.system();
  }

  @Bean
  @Fallback
  PasswordEncoder passwordEncoder(AccountSettings settings) {
    return new BCryptPasswordEncoder(settings.bcryptStrength());
  }

  @Bean
  @Fallback
  Sessions sessions() {
    return new Sessions(SESSION_IDLE, MAX_SESSIONS);
  }

  @Bean
  Ratings ratings() {
    return new Ratings();
  }

  @Bean
  AccountBatches accountBatches(
      Database database,
      Sessions sessions,
      Ratings ratings,
      InstantSource clock,
      MeterRegistry registry) {
    var batches = new AccountBatches(database, sessions, ratings, clock);
    for (Role role : Role.values()) {
      Gauge.builder("toystore.account.accounts", batches, it -> it.next().account(role) - 1)
          .description("Registered accounts")
          .tag("role", role.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    Gauge.builder("toystore.account.sessions", sessions, Sessions::size)
        .description("Sessions in memory, including ended ones that were not yet deleted")
        .register(registry);
    return batches;
  }

  @Bean
  @Fallback
  PasswordHasher passwordHasher(PasswordEncoder encoder) {
    var order = new FairOrder(HASHING_QUEUE + HASHING_THREADS, HASHING_PER_ADDRESS);
    return new PasswordHasher(encoder, HASHING_THREADS, order, MAX_HASHING_TIME);
  }

  @Bean
  FailedLogins failedLogins(InstantSource clock) {
    return new FailedLogins(
        FAILED_LOGINS_PER_USER, FAILED_LOGINS_PER_ADDRESS, FAILED_LOGIN_WINDOW, clock);
  }

  @Bean
  AccountAudit accountAudit(@Qualifier("auditReader") ReadPool reader) {
    return new AccountAudit(reader);
  }
}
