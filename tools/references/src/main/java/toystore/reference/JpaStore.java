package toystore.reference;

import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/// What is usually written instead of the store: one Spring Boot service with JPA and PostgreSQL. A
/// buy locks the row of its product. Each commit is synced; PostgreSQL groups commits that wait for
/// the disk. Repeated buys are not recognized.
///
/// It has the HTTP API of the store for queries and buys, and the products `Toy 1` to `Toy 200`.
@SpringBootApplication(proxyBeanMethods = false)
public class JpaStore {
  private static final int PRODUCTS = 200;
  private static final long QUANTITY = 1_000_000_000;

  /// @param arguments the folder for the database, which is created
  public static void main(String[] arguments) {
    System.out.println("ready " + url(start(Path.of(arguments[0]))));
  }

  static ConfigurableApplicationContext start(Path folder) {
    var application = new SpringApplication(JpaStore.class);
    application.setDefaultProperties(
        Map.of(
            "server.address", "127.0.0.1",
            "server.port", "0",
            "server.tomcat.max-keep-alive-requests", "-1",
            "spring.threads.virtual.enabled", "true",
            "spring.jpa.hibernate.ddl-auto", "create",
            "spring.jpa.open-in-view", "false",
            "spring.main.banner-mode", "off"));
    ConfigurableApplicationContext context = application.run(folder.toString());
    context
        .getBean(JpaProducts.class)
        .saveAll(
            IntStream.rangeClosed(1, PRODUCTS)
                .mapToObj(it -> new JpaProduct("Toy " + it, new BigDecimal("9.99"), QUANTITY))
                .toList());
    return context;
  }

  static String url(ConfigurableApplicationContext context) {
    return "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
  }

  /// PostgreSQL, stopped with the context.
  @Bean
  EmbeddedPostgres postgres(ApplicationArguments arguments) throws IOException {
    return EmbeddedPostgres.builder()
        .setDataDirectory(Path.of(arguments.getSourceArgs()[0], "postgres"))
        // the library's defaults are for tests, without durability
        .setServerConfig("fsync", "on")
        .setServerConfig("synchronous_commit", "on")
        .start();
  }

  @Bean
  HikariDataSource dataSource(EmbeddedPostgres postgres) {
    return DataSourceBuilder.create()
        .type(HikariDataSource.class)
        .url(postgres.getJdbcUrl("postgres", "postgres"))
        .build();
  }
}
