package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/// Compose files, Kubernetes files and documents match the images.
class ImagesTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern POM = Pattern.compile("<version>([^<]+)</version>");
  private static final Pattern NAMED =
      Pattern.compile("TOYSTORE_VERSION:-([^}]+)}|newTag: (\\S+)|toystore/\\w+-service:(\\d\\S+)");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "docker/compose.yaml",
        "docker/hosts/catalog.yaml",
        "docker/hosts/order.yaml",
        "docker/hosts/frontend.yaml",
        "docker/kubernetes/kustomization.yaml",
        "docs/deploy.md"
      })
  void imageTagsEqualPomVersion(String file) throws IOException {
    Matcher pom = POM.matcher(Files.readString(ROOT.resolve("pom.xml")));
    assertThat(pom.find()).isTrue();
    List<String> named =
        NAMED
            .matcher(Files.readString(ROOT.resolve(file)))
            .results()
            .flatMap(it -> Stream.of(1, 2, 3).map(it::group))
            .filter(it -> it != null)
            .distinct()
            .toList();
    assertThat(named).containsExactly(pom.group(1));
  }

  /// The order service needs the token to call the catalog, the frontend to pass it on.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "docker/compose.yaml",
        "docker/hosts/catalog.yaml",
        "docker/hosts/order.yaml",
        "docker/hosts/frontend.yaml",
        "docker/kubernetes/catalog.yaml",
        "docker/kubernetes/order.yaml",
        "docker/kubernetes/frontend.yaml"
      })
  void everyServiceReceivesAdminToken(String file) throws IOException {
    String text = Files.readString(ROOT.resolve(file));
    long services = Pattern.compile("image: toystore/\\w+-service").matcher(text).results().count();
    long tokens =
        Pattern.compile("^ +(- name: )?TOYSTORE_ADMIN_TOKEN:?( |$)", Pattern.MULTILINE)
            .matcher(text)
            .results()
            .count();
    assertThat(services).isPositive();
    assertThat(tokens).isEqualTo(services);
  }

  @Test
  void prometheusScrapesAllComposeServices() throws IOException {
    Map<String, Map<String, ?>> compose =
        new Yaml().load(Files.readString(ROOT.resolve("docker/compose.yaml")));
    String prometheus = Files.readString(ROOT.resolve("docker/observe/prometheus.yml"));
    List<String> asked =
        Pattern.compile("- (\\w[\\w-]*):(\\d+)\\s")
            .matcher(prometheus)
            .results()
            .map(it -> it.group(1))
            .toList();
    assertThat(asked).containsExactlyInAnyOrder("frontend", "catalog", "order");
    assertThat(compose.get("services")).isNotNull().containsKeys(asked.toArray(String[]::new));
  }
}
