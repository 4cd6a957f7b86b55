package toystore.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static toystore.clients.Conditions.await;

import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import toystore.catalog.domain.CatalogCommand.RestockSoldOut;
import toystore.catalog.v1.GetItemRequest;
import toystore.catalog.v1.GetProductRequest;
import toystore.catalog.v1.ListChangesRequest;
import toystore.catalog.v1.RecordedChange;
import toystore.common.v1.AuditCheck;
import toystore.platform.service.StartupException;

/// The setting `toystore.catalog.restock-interval`, on a real file.
class AutomaticRestockTest {
  private static final String OFTEN = "--toystore.catalog.restock-interval=50ms";

  @TempDir Path folder;

  @Test
  void soldOutToyIsFilledAndRecordedAndKeptByARestart() {
    try (var catalog = new RunningCatalog(folder, OFTEN)) {
      catalog.sell("all", "Tux", units(catalog, "Tux"));
      await(() -> units(catalog, "Tux") == 100);
      catalog.sell("some", "Tux", 99);
      catalog.sell("the last", "Tux", 1);
      await(() -> units(catalog, "Tux") == 100);

      assertThat(changes(catalog))
          .extracting(
              RecordedChange::getChangedBy,
              it -> it.getChange().getAfter().getName(),
              it -> it.getChange().getDifferences())
          .containsExactly(
              tuple("store, restock-interval", "Tux", "quantity 0 → 100"),
              tuple("store, restock-interval", "Tux", "quantity 0 → 100"));
      assertThat(restocked(catalog)).isEqualTo(2);
      var folded =
          catalog
              .admin()
              .listChanges(ListChangesRequest.newBuilder().setFoldRestocks(true).build());
      assertThat(folded.getChangesList())
          .containsExactly(
              changes(catalog).getFirst().toBuilder()
                  .setRestocks(2)
                  .setFirstChangedAt(changes(catalog).getLast().getChangedAt())
                  .build());
    }
    try (var catalog = new RunningCatalog(folder)) {
      assertThat(units(catalog, "Tux")).isEqualTo(100);
      assertThat(changes(catalog)).hasSize(2);
      assertThat(catalog.audit().getChecksList()).isNotEmpty().allMatch(AuditCheck::getOk);
    }
  }

  @Test
  void stocksItemsAndToysWithUnitsLeftStayAsTheyAre() {
    try (var catalog = new RunningCatalog(folder, OFTEN)) {
      long stock = units(catalog, "GameStart");
      catalog.sell("stock", "GameStart", stock);
      long whales = units(catalog, "Whale");
      catalog.sell("all whales but one", "Whale", whales - 1);
      long item = catalog.addItem(1, "Castle", 3, 7, "lego").getItemId();
      catalog.buy("castles", item, 3);
      catalog.sell("all", "Tux", units(catalog, "Tux"));
      await(() -> units(catalog, "Tux") == 100); // a turn after all of these sales

      assertThat(units(catalog, "GameStart")).isZero();
      assertThat(units(catalog, "Whale")).isOne();
      assertThat(
              catalog
                  .items()
                  .getItem(GetItemRequest.newBuilder().setItemId(item).build())
                  .getItem()
                  .getQuantity())
          .isZero();
      assertThat(changes(catalog)).hasSize(1);
      assertThat(catalog.audit().getChecksList()).isNotEmpty().allMatch(AuditCheck::getOk);
    }
  }

  @Test
  void eachTurnIsBoundedAndTheNextOneFillsTheOthers() throws Exception {
    int toys = RestockSoldOut.PRODUCTS + 20;
    var csv = new StringBuilder("name,price,quantity\n");
    for (int i = 0; i < toys; i++) {
      csv.append("Toy ").append(i).append(",1.00,0\n");
    }
    Path file = Files.writeString(folder.resolve("toys.csv"), csv);
    try (var catalog = new RunningCatalog(folder, OFTEN, "--toystore.catalog.file=" + file)) {
      await(() -> restocked(catalog) == toys);

      List<RecordedChange> all = changes(catalog);
      assertThat(all).hasSize(200).allMatch(it -> it.getChange().getAfter().getQuantity() == 100);
      assertThat(all.getFirst().getNumber()).isEqualTo(toys);
      assertThat(all.stream().map(RecordedChange::getChangedAt).distinct()).hasSize(2);
    }
  }

  @Test
  void isOffByDefault() {
    try (var catalog = new RunningCatalog(folder)) {
      assertThat(catalog.service.getBean(ScheduledTaskHolder.class).getScheduledTasks()).isEmpty();
    }
  }

  @Test
  void intervalHasARange() {
    assertThatThrownBy(
            () -> new RunningCatalog(folder, "--toystore.catalog.restock-interval=25h").close())
        .rootCause()
        .isInstanceOf(StartupException.class)
        .hasMessage(
            "setting toystore.catalog.restock-interval (in ms) must be from 0 to 86400000,"
                + " got 90000000");
  }

  private static long units(RunningCatalog catalog, String product) {
    return catalog
        .store()
        .getProduct(GetProductRequest.newBuilder().setName(product).build())
        .getProduct()
        .getQuantity();
  }

  private static List<RecordedChange> changes(RunningCatalog catalog) {
    return catalog
        .admin()
        .listChanges(ListChangesRequest.newBuilder().setLimit(200).build())
        .getChangesList();
  }

  private static double restocked(RunningCatalog catalog) {
    return catalog
        .service
        .getBean(MeterRegistry.class)
        .get("toystore.catalog.restocked")
        .functionCounter()
        .count();
  }
}
