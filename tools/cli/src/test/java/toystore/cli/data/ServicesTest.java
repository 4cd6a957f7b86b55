package toystore.cli.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.cli.launch.DataFolder;
import toystore.cli.launch.PortPlan;
import toystore.cli.launch.Services;
import toystore.cli.launch.StoreLayout;
import toystore.cli.launch.StorePlan;
import toystore.cli.launch.StorePlanTest;
import toystore.platform.service.StoreServiceDescriptor;

/// Adds a service by its descriptor alone. The code of the launcher does not mention it.
final class ServicesTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir Path folder;
  private Services services = StorePlanTest.SERVICES;

  @BeforeEach
  void addAWishlistService() throws Exception {
    for (var service : StorePlanTest.SERVICES.all()) {
      var file = file(service.program());
      Files.copy(Path.of("../..").resolve(file), withParents(file));
    }
    Files.writeString(
        withParents(file("wishlist-service")),
        """
        name=wishlist
        protocol=gRPC
        port=9098
        management-port=9088
        peers=catalog,order
        database=true
        heap-mib=96
        """);
    services = Services.of(folder);
  }

  @Test
  void addedServiceStartsAfterItsPeersAndGetsTheirAddresses() {
    assertThat(services.all())
        .extracting(StoreServiceDescriptor::name)
        .containsExactly(
            "catalog", "account", "payment", "exchange", "order", "wishlist", "frontend");
    var plan =
        new StorePlan(
            services,
            new StoreLayout(false, 1, false, new PortPlan(8180), "127.0.0.1"),
            null,
            Path.of("/data"),
            null,
            List.of());
    var wishlist = plan.parts().get(5);
    assertThat(wishlist.app()).isEqualTo("wishlist-service");
    assertThat(wishlist.heapMiB()).isEqualTo(96);
    assertThat(wishlist.managementPort()).isEqualTo(9188);
    assertThat(wishlist.arguments())
        .contains(
            "--toystore.wishlist.port=9198",
            "--toystore.wishlist.management-port=9188",
            "--toystore.wishlist.catalog-target=static://127.0.0.1:9191",
            "--toystore.wishlist.order-target=static://127.0.0.1:9192");
    assertThat(
            new StorePlan(
                    services,
                    new StoreLayout(true, 1, false, new PortPlan(8180), "127.0.0.1"),
                    null,
                    Path.of("/data"),
                    null,
                    List.of())
                .parts()
                .getFirst()
                .services())
        .extracting(service -> service.name() + ": " + service.describePorts())
        .contains("wishlist-service: gRPC 9198");
  }

  @Test
  void databaseOfAnAddedServiceIsBackedUpBeforeItsPeersAndRestored() throws Exception {
    assertThat(services.databases())
        .containsExactly("wishlist", "order", "exchange", "payment", "account", "catalog");
    var data = new DataFolder(folder.resolve("data"));
    StoreFiles.running(data, "sold", 3, 3).close();
    StoreFiles.write(data, "wishlist", "Ada");
    var backup = folder.resolve("backup");
    BackupCommand.backup(data, backup, services, NOW);
    var restored = new DataFolder(folder.resolve("restored"));
    RestoreCommand.restore(restored, backup, services);
    assertThat(StoreFiles.lastKey(restored.path().resolve("wishlist"), "wishlist", "wishlist"))
        .isEqualTo("Ada");
  }

  @Test
  void everyPortIsInTheRangeOfItsStore() {
    assertThat(StorePlanTest.SERVICES.all())
        .flatExtracting(it ->
            Stream.concat(
                    Stream.of(it.port(), it.managementPort()), it.furtherPorts().values().stream())
                .toList())
        .allMatch(port -> port >= PortPlan.DEFAULT && port <= PortPlan.DEFAULT + PortPlan.ROOM);
  }

  @Test
  void invalidDescriptorIsRefused() throws Exception {
    var file = withParents(file("exchange-service"));
    Files.writeString(file, "name=exchange\nprot=1\n");
    assertThatIllegalStateException()
        .isThrownBy(() -> Services.of(folder))
        .withMessageStartingWith(
            "service descriptor of exchange-service: unknown key prot; known keys are [");
    Files.writeString(file, "name=exchange\n");
    assertThatIllegalStateException()
        .isThrownBy(() -> Services.of(folder))
        .withMessage("service descriptor of exchange-service: missing key protocol");
  }

  private Path withParents(Path file) throws Exception {
    var path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    return path;
  }

  private static Path file(String program) {
    return Path.of(
        program, "src/main/resources", StoreServiceDescriptor.FOLDER, program + ".properties");
  }
}
