package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import toystore.platform.service.StoreServiceDescriptor;
import toystore.platform.service.StoreServiceDescriptor.Protocol;
import toystore.store.StoreApplication;

/// Build files, deployment files and documents match the services' descriptors. For a new service,
/// the failure lists the missing files.
class DescriptorTest {
  private static final Path ROOT = Path.of("..");
  private static final String ON_POSTGRESQL = "docker/compose.postgresql.yaml";

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

  /// docs/architecture.md lists the same files.
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
            ".dockerignore",
            "docker/voucher-service/Dockerfile",
            "docker/compose.yaml",
            "docker/compose.postgresql.yaml",
            "docker/hosts/voucher.yaml",
            "docker/helm/toystore/services.yaml",
            "docker/helm/toystore/values.yaml",
            "docker/helm/toystore/values.schema.json",
            "docker/observe/prometheus.yml",
            "docs/architecture.md",
            "docs/operations.md")
        .allSatisfy(file ->
            assertThat(Files.readString(ROOT.resolve("docs/architecture.md")))
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
    needed.add(new Needed(".dockerignore", "!docker/" + program + "\n"));
    String dockerfile = "docker/" + program + "/Dockerfile";
    needed.add(new Needed(dockerfile, String.format(Locale.ROOT, "HEAP=%dm ", service.heapMiB())));
    needed.add(
        new Needed(
            dockerfile,
            String.format(Locale.ROOT, "EXPOSE %d %d", service.port(), service.managementPort())));
    needed.add(
        new Needed(
            dockerfile,
            String.format(
                Locale.ROOT,
                "TOYSTORE_%s_MANAGEMENT_PORT=%d",
                variable(name),
                service.managementPort())));
    needed.add(new Needed("docker/compose.yaml", "image: toystore/" + program + ":"));
    needed.add(new Needed("docker/compose.yaml", "dockerfile: " + dockerfile));
    needed.add(new Needed("docker/hosts/" + name + ".yaml", "image: toystore/" + program + ":"));
    needed.add(
        new Needed(
            "docker/helm/toystore/services.yaml",
            String.format(
                Locale.ROOT,
                "\n%s: {port: %d, management: %d,",
                name,
                service.port(),
                service.managementPort())));
    needed.add(
        new Needed(
            "docker/helm/toystore/values.yaml",
            String.format(Locale.ROOT, "\n  %s: {heapMiB: %d}", name, service.heapMiB())));
    needed.add(new Needed("docker/helm/toystore/values.schema.json", "\"" + name + "\""));
    needed.add(
        new Needed(
            "docker/observe/prometheus.yml",
            String.format(Locale.ROOT, "- %s:%d\n", name, service.managementPort())));
    needed.add(new Needed("docs/architecture.md", "| [" + program + "]"));
    needed.add(
        new Needed("docs/operations.md", String.format(Locale.ROOT, "| %d | ", service.port())));
    needed.add(
        new Needed(
            "docs/operations.md", String.format(Locale.ROOT, "| %d | ", service.managementPort())));
    for (int further : service.furtherPorts().values()) {
      needed.add(new Needed(dockerfile, " " + further + "\n"));
      needed.add(new Needed("docs/operations.md", String.format(Locale.ROOT, "| %d | ", further)));
    }
    for (String peer : service.peers()) {
      String target =
          String.format(Locale.ROOT, "TOYSTORE_%s_%s_TARGET", variable(name), variable(peer));
      needed.add(new Needed("docker/compose.yaml", target + ": static://" + peer + ":"));
      needed.add(new Needed("docker/hosts/" + name + ".yaml", target));
      needed.add(new Needed(ON_POSTGRESQL, target));
      needed.add(
          new Needed(
              "docs/operations.md",
              String.format(Locale.ROOT, "`toystore.%s.%s-target`", name, peer)));
    }
    return needed;
  }

  private static String variable(String name) {
    return name.toUpperCase(Locale.ROOT);
  }
}
