package toystore.catalog;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import toystore.platform.service.ServiceProcess;
import toystore.platform.storage.BatchStore;
import toystore.torture.crash.CrashingBatchStore;

/// The catalog with crash points around its commits. It is in the catalog's package because the
/// classes it uses are package-private.
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
