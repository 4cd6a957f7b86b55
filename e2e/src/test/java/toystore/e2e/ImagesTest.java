package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;
import toystore.platform.service.StoreServiceDescriptor;

/// Compose files and documents match the images.
class ImagesTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern POM = Pattern.compile("<version>([^<]+)</version>");
  private static final Pattern NAMED =
      Pattern.compile(
          "TOYSTORE_VERSION:-([^}]+)}|toystore/\\w+-service:(\\d\\S+)" + "|ARG VERSION=(\\S+)");

  @ParameterizedTest
  @ValueSource(strings = {"docker/Dockerfile", "docker/compose.yaml", "docs/how-to/deploy.md"})
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

  /// A service needs the token to check it or to call others with it, the frontend also to pass it
  /// on.
  @ParameterizedTest
  @ValueSource(strings = {"docker/compose.yaml", "docker/hosts/compose.yaml"})
  void everyServiceReceivesAdminToken(String file) throws IOException {
    Map<String, Map<String, Object>> compose = compose(file);
    for (StoreServiceDescriptor service : StoreServiceDescriptor.ofProject(ROOT)) {
      assertThat(compose.get(service.name()))
          .extractingByKey("environment")
          .asInstanceOf(InstanceOfAssertFactories.MAP)
          .containsKey("TOYSTORE_ADMIN_TOKEN");
    }
  }

  /// Prometheus has no password, so TOYSTORE_LISTEN must not publish it.
  @ParameterizedTest
  @ValueSource(strings = {"prometheus", "grafana"})
  void monitoringListensOnLoopbackOnly(String service) throws IOException {
    assertThat(compose("docker/compose.yaml").get(service))
        .extractingByKey("ports")
        .asInstanceOf(InstanceOfAssertFactories.list(String.class))
        .hasSize(1)
        .allMatch(port -> port.startsWith("127.0.0.1:"));
  }

  private static Map<String, Map<String, Object>> compose(String file) throws IOException {
    Map<String, Map<String, Map<String, Object>>> content =
        new Yaml().load(Files.readString(ROOT.resolve(file)));
    return Objects.requireNonNull(content.get("services"));
  }

  @Test
  void prometheusAndChartAskTheSamePath() throws IOException {
    String prometheus = Files.readString(ROOT.resolve("docker/observe/prometheus.yml"));
    var path = Pattern.compile("metrics_path: (\\S+)\n").matcher(prometheus);
    assertThat(path.find()).isTrue();
    assertThat(ROOT.resolve("docker/helm/toystore/templates/servicemonitor.yaml"))
        .content()
        .contains("path: " + path.group(1) + "\n");
  }
}
