package toystore.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.bazaar.v1.UpdateRequest;
import toystore.catalog.v1.AddProductRequest;
import toystore.catalog.v1.CatalogAdminServiceGrpc.CatalogAdminServiceBlockingStub;
import toystore.catalog.v1.EndSessionRequest;
import toystore.catalog.v1.GetSessionRequest;
import toystore.catalog.v1.ImportProductsRequest;
import toystore.catalog.v1.ListChangesRequest;
import toystore.catalog.v1.ListChangesResponse;
import toystore.catalog.v1.ProductSpec;
import toystore.catalog.v1.RecordedChange;
import toystore.catalog.v1.RemoveProductRequest;
import toystore.catalog.v1.RestockRequest;
import toystore.catalog.v1.ResumeTradingRequest;
import toystore.catalog.v1.UpdateProductRequest;
import toystore.common.v1.AuditCheck;
import toystore.platform.service.CallOrigin;

/// The list of changes, over gRPC and on a real file.
@SuppressWarnings("NullAway.Init") // started before each test
class RecordedChangesTest {
  @TempDir Path folder;
  private RunningCatalog catalog;

  @BeforeEach
  void start() {
    catalog = new RunningCatalog(folder);
  }

  @AfterEach
  void stop() {
    catalog.close();
  }

  @Test
  void eachKindOfChangeIsRecordedOnceWithItsMaker() {
    add("Zeppelin", 1_250);
    add("Zeppelin", 1_250); // the same key
    update("Zeppelin", 1_300);
    update("Zeppelin", 1_300); // changes nothing
    restock("restock", 5);
    restock("restock", 5);
    catalog
        .admin()
        .withInterceptors(CallOrigin.named(() -> "Zoë Kašpárek, page 192.0.2.1"))
        .removeProduct(zeppelin());

    assertThat(changes())
        .containsExactly(
            "4 administrator, Zoë Kašpárek, page 192.0.2.1: Zeppelin: removed, price 13.00, quantity 12",
            "3 administrator, gRPC: Zeppelin: quantity 7 → 12",
            "2 administrator, gRPC: Zeppelin: price 12.50 → 13.00",
            "1 administrator, gRPC: Zeppelin: new, price 12.50, quantity 7");
  }

  /// The caller says who it is, but not from which address.
  @Test
  void callOverTheNetworkIsRecordedWithTheAddressOfItsConnection() {
    ManagedChannel channel =
        Grpc.newChannelBuilder(
                "127.0.0.1:" + catalog.grpcPort(), InsecureChannelCredentials.create())
            .build();
    try {
      var admin = RunningCatalog.admin(channel);
      var price = UpdateProductRequest.newBuilder().setName("Tux");
      var _ = admin.updateProduct(price.setPriceCents(1).build());
      var claimed = admin.withInterceptors(CallOrigin.named(() -> "דוד, page 203.0.113.9"));
      var _ = claimed.updateProduct(price.setPriceCents(2).build());
      var unreadable = admin.withInterceptors(CallOrigin.named(() -> "page\0"));
      assertThatThrownBy(() -> unreadable.updateProduct(price.setPriceCents(3).build()))
          .hasMessageStartingWith("INVALID_ARGUMENT: origin contains NULL (U+0000) at position 5");
    } finally {
      channel.shutdownNow();
    }

    assertThat(page(0, 50).getChangesList())
        .extracting(RecordedChange::getChangedBy)
        .containsExactly(
            "administrator, דוד, page 203.0.113.9 via 127.0.0.1", "administrator, gRPC 127.0.0.1");
  }

  @Test
  void startRefusedChangeSaleAndItemOfASellerAreNotRecorded() {
    assertThat(changes()).isEmpty();
    catalog.sell();
    catalog.addItem(1, "Castle", 3, 7, "lego");
    assertThatThrownBy(() -> add("Tux", 1)).hasMessageContaining("already exists");
    assertThatThrownBy(() -> restock("unknown", 1)).hasMessageContaining("product not found");
    assertThatThrownBy(() -> catalog.admin().removeProduct(zeppelin())).isNotNull();
    assertThatThrownBy(() -> page(0, 201)).hasMessageContaining("limit must be");
    assertThatThrownBy(() -> page(-1, 1)).hasMessageContaining("before must be");
    assertThatThrownBy(() ->
            catalog.adminAs("Bearer other").listChanges(ListChangesRequest.getDefaultInstance()))
        .hasMessageStartingWith("PERMISSION_DENIED");

    assertThat(changes()).isEmpty();
  }

  @Test
  void importRecordsEachProductThatDiffersUnlessItIsADryRun() {
    String csv = "name,price,quantity,category\nTux,1.00,3,\nZeppelin,9.99,5,Air\n";

    var preview = importProducts(csv, true);
    assertThat(changes()).isEmpty();
    assertThat(preview).hasSize(2);
    assertThat(importProducts(csv, false)).isEqualTo(preview);
    assertThat(importProducts(csv, false)).isEmpty();

    assertThat(changes())
        .hasSize(2)
        .first()
        .isEqualTo(
            "2 administrator, gRPC: Zeppelin: new, price 9.99, quantity 5, category \"Air\"");
    assertThat(changes().getLast())
        .startsWith("1 administrator, gRPC: Tux: price ")
        .contains(" → 1.00, quantity ");
  }

  @Test
  void changesOfStocksAreRecorded() {
    catalog.trade();
    catalog
        .admin("resume")
        .resumeTrading(ResumeTradingRequest.newBuilder().setName("GameStart").build());
    catalog.bazaar().update(UpdateRequest.newBuilder().setName("GameStart").setPrice(11).build());

    assertThat(changes())
        .containsExactly(
            "2 anyone, gRPC StockBazaar: GameStart: price 15.99 → 11.00",
            "1 administrator, gRPC: GameStart: volume 1 → 0");
  }

  @Test
  void pagesAreTheNewestFirstAndSurviveARestart() {
    for (int i = 1; i <= 5; i++) {
      add("Toy " + i, 100 * i);
    }
    catalog.close();
    catalog = new RunningCatalog(folder);
    add("Toy 6", 600);

    ListChangesResponse first = page(0, 4);
    assertThat(numbers(first)).containsExactly(6L, 5L, 4L, 3L);
    ListChangesResponse last = page(first.getNext(), 4);
    assertThat(numbers(last)).containsExactly(2L, 1L);
    assertThat(last.getNext()).isZero();
    assertThat(catalog.audit().getChecksList()).isNotEmpty().allMatch(AuditCheck::getOk);
  }

  @Test
  void changesAreFoundByProductAndByWhoMadeThem() {
    add("Crème brûlée set", 100);
    add("קוביה", 200);
    var zoe = catalog.admin().withInterceptors(CallOrigin.named(() -> "Zoë, page 192.0.2.1"));
    var _ = zoe.removeProduct(RemoveProductRequest.newBuilder().setName("קוביה").build());

    assertThat(find("BRÛLÉE", "")).containsExactly(1L);
    assertThat(find("Bru\u0302le\u0301e", "")).as("the same in NFC").containsExactly(1L);
    assertThat(find("קוב", "")).containsExactly(3L, 2L);
    assertThat(find("קוב", "ZOË")).containsExactly(3L);
    assertThat(find("", "zoë, page")).containsExactly(3L);
    assertThat(find("", "grpc")).containsExactly(2L, 1L);
    assertThat(find("Tux", "")).isEmpty();
  }

  private List<Long> find(String product, String by) {
    var request = ListChangesRequest.newBuilder().setProduct(product).setChangedBy(by);
    return numbers(catalog.admin().listChanges(request.build())).toList();
  }

  @Test
  void endedSessionStaysEndedAfterARestart() {
    var session = GetSessionRequest.newBuilder().setSessionId("6f6c-1");
    assertThat(catalog.admin().getSession(session.build()).getEnded()).isFalse();
    for (int i = 0; i < 2; i++) {
      var _ =
          catalog.admin().endSession(EndSessionRequest.newBuilder().setSessionId("6f6c-1").build());
    }
    assertThat(catalog.admin().getSession(session.build()).getEnded()).isTrue();
    catalog.close();
    catalog = new RunningCatalog(folder);

    assertThat(catalog.admin().getSession(session.build()).getEnded()).isTrue();
    assertThat(catalog.admin().getSession(session.setSessionId("6f6c-2").build()).getEnded())
        .isFalse();
    assertThat(catalog.audit().getChecksList()).isNotEmpty().allMatch(AuditCheck::getOk);
    assertThatThrownBy(() -> catalog.admin().getSession(session.setSessionId("ö").build()))
        .hasMessageStartingWith("INVALID_ARGUMENT");
    assertThatThrownBy(() -> catalog.adminAs("Bearer x").getSession(session.build()))
        .hasMessageStartingWith("PERMISSION_DENIED");
  }

  private void add(String name, long cents) {
    var product = ProductSpec.newBuilder().setName(name).setPriceCents(cents).setQuantity(7);
    var _ =
        catalog
            .admin("add " + name.hashCode())
            .addProduct(AddProductRequest.newBuilder().setProduct(product).build());
  }

  private void update(String name, long cents) {
    var _ =
        catalog
            .admin()
            .updateProduct(
                UpdateProductRequest.newBuilder().setName(name).setPriceCents(cents).build());
  }

  private void restock(String key, long units) {
    var _ =
        catalog
            .admin(key)
            .restock(RestockRequest.newBuilder().setName("Zeppelin").setQuantity(units).build());
  }

  private static RemoveProductRequest zeppelin() {
    return RemoveProductRequest.newBuilder().setName("Zeppelin").build();
  }

  private List<String> importProducts(String csv, boolean dryRun) {
    var request = ImportProductsRequest.newBuilder().setCsv(csv).setDryRun(dryRun).build();
    return catalog.admin().importProducts(request).getChangesList().stream()
        .map(it -> it.getDifferences())
        .toList();
  }

  private ListChangesResponse page(long before, int limit) {
    CatalogAdminServiceBlockingStub admin = catalog.admin();
    return admin.listChanges(
        ListChangesRequest.newBuilder().setBefore(before).setLimit(limit).build());
  }

  private static Stream<Long> numbers(ListChangesResponse page) {
    return page.getChangesList().stream().map(RecordedChange::getNumber);
  }

  private List<String> changes() {
    return page(0, 50).getChangesList().stream()
        .map(it -> {
          var change = it.getChange();
          var product = change.hasAfter() ? change.getAfter() : change.getBefore();
          assertThat(it.getChangedAt().getSeconds()).isPositive();
          return it.getNumber()
              + " "
              + it.getChangedBy()
              + ": "
              + product.getName()
              + ": "
              + change.getDifferences();
        })
        .toList();
  }
}
