package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import toystore.clients.Project;
import toystore.clients.StoreProcesses;

/// A service starts with the bean definitions that `platform/generate-beans` made.
@Tag("long")
class GeneratedBeansIT {
  static final List<String> SERVICES = StoreProcesses.SERVICES;

  private static final String NOT_USED = "startup without generated bean definitions";

  @TempDir Path folder;

  @ParameterizedTest
  @FieldSource("SERVICES")
  void everyServiceUsesThem(String service) throws IOException {
    assertThat(logOfStart(service)).contains("Tomcat initialized").doesNotContain(NOT_USED);
  }

  @Test
  void settingOfSpringIsAppliedWithoutThem() throws IOException {
    assertThat(logOfStart("catalog", "--management.endpoints.web.exposure.include=health,beans"))
        .contains(NOT_USED + ", because these are set: [management.endpoints.web.exposure.incl")
        .contains("Exposing 2 endpoints");
  }

  /// Generates the definitions, starts the service until its context is complete, and returns its
  /// log.
  private String logOfStart(String service, String... settings) throws IOException {
    Path jar = Project.jar(service);
    String main = mainClass(jar);
    Path beans = folder.resolve(service);
    Project.run(
        List.of(
            Project.HOME.resolve("platform/generate-beans").toString(),
            System.getProperty("java.home"),
            jar.toString(),
            main,
            beans.toString()));
    Path log = folder.resolve(service + ".log");
    var command =
        new ArrayList<>(
            List.of(
                Project.JAVA,
                "@" + Project.HOME.resolve("jvm.options"),
                "-Dspring.aot.enabled=true",
                "-Dspring.context.exit=onRefresh",
                "-cp",
                jar + ":" + beans.resolve("classes"),
                main,
                "--logging.file.name=" + log,
                "--toystore.data=" + folder.resolve("data"),
                format("--toystore.%s.port=0", service),
                format("--toystore.%s.management-port=0", service)));
    command.addAll(List.of(settings));
    Project.run(command);
    return Files.readString(log);
  }

  private static String mainClass(Path jar) throws IOException {
    try (var file = new JarFile(jar.toFile())) {
      return file.getManifest().getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
    }
  }
}
