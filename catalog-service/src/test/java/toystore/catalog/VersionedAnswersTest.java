package toystore.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.Iterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.catalog.v1.AddProductRequest;
import toystore.catalog.v1.GetProductRequest;
import toystore.catalog.v1.RemoveProductRequest;
import toystore.catalog.v1.RestockRequest;
import toystore.catalog.v1.UpdateProductRequest;
import toystore.catalog.v1.WatchRequest;
import toystore.catalog.v1.WatchResponse;
import toystore.common.v1.Version;

class VersionedAnswersTest {
  @TempDir Path folder;

  private static Version whale(RunningCatalog catalog) {
    return catalog
        .store()
        .getProduct(GetProductRequest.newBuilder().setName("Whale").setWithVersion(true).build())
        .getVersion();
  }

  @Test
  void answerToEachChangeHasTheVersionThatContainsIt() {
    try (var catalog = new RunningCatalog(folder)) {
      Version before = whale(catalog);
      Version sold = catalog.sell().getVersion();
      assertThat(sold).isEqualTo(after(before, 1));
      assertThat(whale(catalog)).isEqualTo(sold);
      assertThat(catalog.sell().getVersion()).as("of a repeat").isEqualTo(sold);
      var tux = toystore.catalog.v1.ProductSpec.newBuilder().setName("Tux").setPriceCents(1);
      var admin = catalog.admin();
      assertThat(catalog.admin("restock").restock(restock()).getVersion())
          .isEqualTo(after(before, 2));
      assertThat(
              admin
                  .updateProduct(
                      UpdateProductRequest.newBuilder().setName("Tux").setPriceCents(9).build())
                  .getVersion())
          .isEqualTo(after(before, 3));
      assertThat(
              admin
                  .removeProduct(RemoveProductRequest.newBuilder().setName("Tux").build())
                  .getVersion())
          .isEqualTo(after(before, 4));
      assertThat(
              catalog
                  .admin("add")
                  .addProduct(AddProductRequest.newBuilder().setProduct(tux).build())
                  .getVersion())
          .isEqualTo(after(before, 5));
      assertThat(whale(catalog)).isEqualTo(after(before, 5));
    }
  }

  private static RestockRequest restock() {
    return RestockRequest.newBuilder().setName("Tux").setQuantity(1).build();
  }

  private static Version after(Version before, int commits) {
    return before.toBuilder().setSequence(before.getSequence() + commits).build();
  }

  @Test
  void eachStartHasItsOwnEpoch() {
    long epoch;
    try (var catalog = new RunningCatalog(folder)) {
      epoch = whale(catalog).getEpoch();
      assertThat(epoch).isNotZero();
    }
    try (var catalog = new RunningCatalog(folder)) {
      assertThat(whale(catalog).getEpoch()).isNotIn(0L, epoch);
    }
  }

  @Test
  void watchGetsChangesUntilTheServiceStops() {
    Iterator<WatchResponse> answers;
    try (var catalog = new RunningCatalog(folder)) {
      answers = catalog.store().watch(WatchRequest.getDefaultInstance());
      assertThat(answers.next().getVersion()).isEqualTo(whale(catalog));
      Version sold = catalog.sell().getVersion();
      WatchResponse event = answers.next();
      while (event.getNamesCount() == 0) { // a heartbeat came first
        event = answers.next();
      }
      assertThat(event.getNamesList()).containsExactly("Tux");
      assertThat(event.getVersion()).isEqualTo(sold);
      catalog.service.close();
      assertThatThrownBy(() -> answers.forEachRemaining(_ -> {}))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
    }
  }
}
