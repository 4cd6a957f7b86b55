package toystore.torture.crash;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import toystore.catalog.CatalogApplication;
import toystore.catalog.domain.CatalogDecider;
import toystore.catalog.storage.CatalogBatchStore;
import toystore.platform.service.ServiceProcess;
import toystore.platform.storage.BatchStore;

/// The catalog with crash points around its commits.
public final class CrashingCatalog {
  private CrashingCatalog() {}

  public static void main(String[] args) {
    ServiceProcess.run(
        CrashingCatalogSetup.class, CatalogApplication.NAME, CatalogApplication.SETTINGS, args);
  }

  @Import(CatalogApplication.class)
  static class CrashingCatalogSetup {
    @Bean
    @Primary
    BatchStore<CatalogDecider> crashingBatchStore(CatalogBatchStore batchStore) {
      return new CrashingBatchStore<>(batchStore);
    }
  }
}
