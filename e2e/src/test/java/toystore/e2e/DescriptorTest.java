package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import toystore.platform.service.StoreServiceDescriptor;
import toystore.platform.service.StoreServiceDescriptor.Protocol;
import toystore.store.StoreApplication;

/// Build files and documents match the services' descriptors. For a new service, the failure lists
/// the missing files; deployment files are generated.
class DescriptorTest {
  private static final Path ROOT = Path.of("..");

  /// A text that a file must contain for a service. A folder must only exist.
  private record Needed(String file, String text) {
    boolean isMissing() {
      Path path = ROOT.resolve(file);
      try {
        return !Files.isDirectory(path)
            && !(Files.exists(path) && Files.readString(path).contains(text));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void buildAndDeploymentFilesMatchDescriptors() throws IOException {
    for (StoreServiceDescriptor service : StoreServiceDescriptor.ofProject(ROOT)) {
      assertThat(needed(service)).filteredOn(Needed::isMissing).isEmpty();
    }
  }

  @Test
  void storeApplicationContainsAllServices() throws IOException {
    assertThat(StoreApplication.descriptors()).isEqualTo(StoreServiceDescriptor.ofProject(ROOT));
  }

  @Test
  void eachServiceKnowsTheNamesOfAll() throws IOException {
    assertThat(StoreServiceDescriptor.ofProject(ROOT))
        .extracting(StoreServiceDescriptor::name)
        .containsExactlyInAnyOrderElementsOf(StoreServiceDescriptor.NAMES);
  }

  @Test
  void portsAreUnique() throws IOException {
    assertThat(StoreServiceDescriptor.ofProject(ROOT))
        .flatExtracting(it ->
            Stream.concat(
                    Stream.of(it.port(), it.managementPort()), it.furtherPorts().values().stream())
                .toList())
        .doesNotHaveDuplicates();
  }

  /// docs/how-to/extend.md lists the same files.
  @Test
  void missingFilesOfNewServiceAreListed() throws IOException {
    var voucher =
        new StoreServiceDescriptor(
            "voucher-service",
            "voucher",
            Protocol.GRPC,
            9096,
            9086,
            List.of("catalog"),
            true,
            128,
            false,
            Map.of());
    assertThat(needed(voucher))
        .filteredOn(Needed::isMissing)
        .extracting(Needed::file)
        .contains(
            "pom.xml",
            "store/pom.xml",
            "voucher-service/pom.xml",
            "voucher-service/src/main/resources/db/voucher",
            "voucher-service/src/main/resources/db-postgresql/voucher",
            "docs/reference/files.md")
        .allSatisfy(file ->
            assertThat(Files.readString(ROOT.resolve("docs/how-to/extend.md")))
                .contains(file.replace("voucher-service/src/main/resources/", "")));
  }

  private static List<Needed> needed(StoreServiceDescriptor service) {
    String program = service.program();
    String name = service.name();
    var needed = new ArrayList<Needed>();
    needed.add(new Needed("pom.xml", "<module>" + program + "</module>"));
    needed.add(new Needed("store/pom.xml", "<artifactId>" + program + "</artifactId>"));
    needed.add(new Needed(program + "/pom.xml", "<artifactId>platform</artifactId>"));
    if (service.database()) {
      needed.add(new Needed(program + "/src/main/resources/db/" + name, ""));
      needed.add(new Needed(program + "/src/main/resources/db-postgresql/" + name, ""));
    }
    needed.add(new Needed("docs/reference/files.md", "| [" + program + "]"));
    return needed;
  }
}
