package toystore.platform.service;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import toystore.clients.GeneratedRegion;
import toystore.platform.service.StoreServiceDescriptor.Protocol;

/// Parts of deployment files and documents that follow from the service descriptors, each a
/// [GeneratedRegion].
class GeneratedFilesTest {
  private static final Path ROOT = Path.of("..");

  private final List<StoreServiceDescriptor> services = StoreServiceDescriptor.ofProject(ROOT);
  private final String version = version();

  GeneratedFilesTest() throws IOException {}

  @Test
  void composeFile() throws IOException {
    part(
        "docker/compose.yaml",
        "services",
        it ->
            """
              @name@:
                <<: *service
                image: toystore/@program@:${TOYSTORE_VERSION:-@version@}
                build: {context: .., dockerfile: docker/Dockerfile, args: {<<: *arguments, SERVICE: @program@}}
                mem_limit: @memory@m # its heap and 256 MiB
                volumes: [@name@:/data, admin:/admin]
                environment:
                  <<: *token
            """
                + targets(it, "static://@name@")
                + (it.protocol() == Protocol.HTTP
                    ? "    ports: [\"${TOYSTORE_LISTEN:-127.0.0.1}:${TOYSTORE_PORT:-@port@}:@port@\"]\n"
                    : "")
                + (it.peers().isEmpty() ? "" : "    depends_on: @peers@ # for DNS only\n")
                + "\n");
    part("docker/compose.yaml", "volumes", it -> "  @name@:\n");
  }

  @Test
  void composeFileOnPostgresql() throws IOException {
    part(
        "docker/compose.postgresql.yaml",
        "services",
        it ->
            (it.database()
                    ? "  @name@:\n    <<: *service\n    environment:\n      <<: *database\n"
                    : "  @name@:\n    scale: 2\n    environment:\n")
                + targets(it, "dns:///@name@")
                + "\n");
  }

  @Test
  void composeFileOfHosts() throws IOException {
    part(
        "docker/hosts/compose.yaml",
        "services",
        it ->
            """
              @name@:
                <<: *service
                image: toystore/@program@:${TOYSTORE_VERSION:-@version@}
                mem_limit: @memory@m # its heap and 256 MiB
                volumes: ["@name@:/data", *certificates]
                ports:
                  - "${ADDRESS:?set it to the address at which this host's service listens}:@port@:@port@"
                  - "127.0.0.1:@management@:@management@" # metrics; use a private address to monitor from another host
                environment:
                  <<: *environment
            """
                + targets(it, "static://${@NAME@:-@name@}")
                + "\n");
    part("docker/hosts/compose.yaml", "volumes", it -> "  @name@:\n");
  }

  @Test
  void chart() throws IOException {
    part(
        "docker/helm/toystore/services.yaml",
        "services",
        it ->
            "@name@: {port: @port@, management: @management@, calls: @peers@"
                + further(it, ", %s: %d")
                + "}\n");
    part("docker/helm/toystore/values.yaml", "heaps", it -> "  @name@: {heapMiB: @heap@}\n");
  }

  @Test
  void metricsTargets() throws IOException {
    part("docker/observe/prometheus.yml", "targets", it -> "          - @name@:@management@\n");
  }

  @Test
  void tableOfPorts() throws IOException {
    GeneratedRegion.check(
        "docs/reference/ports.md",
        "ports",
        "\n| port | service | protocol | used by |\n|---|---|---|---|\n"
            + each(this::ports)
            + "\n");
  }

  private String ports(StoreServiceDescriptor service) {
    boolean http = service.protocol() == Protocol.HTTP;
    String callers =
        services.stream()
            .filter(it -> it.peers().contains(service.name()))
            .map(StoreServiceDescriptor::name)
            .collect(joining(", "));
    return "| @port@ | @name@ | "
        + (http ? "HTTP: pages and API | customers" : "gRPC | " + callers)
        + " |\n"
        + further(service, "| %2$d | @name@ | %1$S | other programs |\n")
        + "| @management@ | @name@ | HTTP: `/actuator/prometheus`"
        + (http ? ", `/health`, `/audit`" : "")
        + " | operators |\n";
  }

  private static String further(StoreServiceDescriptor service, String format) {
    return service.furtherPorts().entrySet().stream()
        .map(it -> String.format(Locale.ROOT, format, it.getKey(), it.getValue()))
        .collect(joining());
  }

  /// @param target address of a peer, without its port
  private String targets(StoreServiceDescriptor service, String target) {
    return services.stream()
        .filter(it -> service.peers().contains(it.name()))
        .map(peer ->
            "      TOYSTORE_@NAME@_" + filled("@NAME@_TARGET: " + target + ":@port@\n", peer))
        .collect(joining());
  }

  private void part(String file, String part, Function<StoreServiceDescriptor, String> content)
      throws IOException {
    GeneratedRegion.check(file, part, each(content));
  }

  private String each(Function<StoreServiceDescriptor, String> content) {
    return services.stream().map(it -> filled(content.apply(it), it)).collect(joining());
  }

  private String filled(String text, StoreServiceDescriptor service) {
    return text.replace("@name@", service.name())
        .replace("@NAME@", service.name().toUpperCase(Locale.ROOT))
        .replace("@program@", service.program())
        .replace("@version@", version)
        .replace("@port@", Integer.toString(service.port()))
        .replace("@management@", Integer.toString(service.managementPort()))
        .replace("@heap@", Integer.toString(service.heapMiB()))
        .replace("@memory@", Integer.toString(service.heapMiB() + 256))
        .replace("@peers@", service.peers().toString());
  }

  private static String version() throws IOException {
    Matcher found =
        Pattern.compile("<version>([^<]+)</version>")
            .matcher(Files.readString(ROOT.resolve("pom.xml")));
    assertThat(found.find()).isTrue();
    return found.group(1);
  }
}
