package toystore.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.cli.launch.JavaCommandLine;

/// What `./toystore` does before it starts a program, in a folder with a JDK that does nothing.
final class ToystoreScriptTest {
  private record Ended(int exitCode, String output) {}

  @TempDir Path folder;
  private Path root;
  private Path jdk;

  @BeforeEach
  void copyTheScript() throws IOException {
    root = Files.createDirectories(folder.toRealPath().resolve("Kašpárek's clone"));
    for (var file : List.of("toystore", "pom.xml", "tools/cli/help.txt")) {
      var copy = root.resolve(file);
      Files.createDirectories(copy.getParent());
      Files.copy(JavaCommandLine.projectFolder().resolve(file), copy);
    }
    var service = root.resolve("catalog-service/src/main/resources/META-INF/toystore");
    Files.writeString(
        Files.createDirectories(service).resolve("catalog-service.properties"), "name=catalog");
    for (var module : List.of("catalog-service", "store")) {
      var pom = Files.createDirectories(root.resolve(module)).resolve("pom.xml");
      Files.writeString(pom, "<main.class>toystore.Main</main.class>");
    }
    executable(root.resolve("toystore"), Files.readString(root.resolve("toystore")));
    executable(root.resolve("mvnw"), "#!/bin/sh\necho BUILT; exit 1\n");
    jdk = folder.toRealPath().resolve("jdk");
    Files.createDirectories(jdk.resolve("bin"));
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
    executable(jdk.resolve("bin/javac"), "#!/bin/sh\n");
    executable(jdk.resolve("bin/java"), "#!/bin/sh\n");
  }

  @Test
  void portThatUpWouldRefuseIsRefusedBeforeTheBuild() throws Exception {
    for (var port : List.of("80", "61251", "99999999", "8O80", "-1")) {
      assertThat(run("up", "--port", port))
          .isEqualTo(new Ended(2, "--port must be from 1025 to 61250; got " + port + "\n"));
      assertThat(run("up", "--fresh", "--port=" + port).exitCode()).isEqualTo(2);
    }
    assertThat(run("up", "--port", "61250").output()).contains("BUILT");
    assertThat(run("load", "--port", "80").output()).contains("BUILT");
  }

  /// The JVM refuses a cache without a word if the project or the JDK has moved.
  @Test
  void cachesOfACopiedCloneAreNotUsed() throws Exception {
    var app = root.resolve("target/app");
    var caches = List.of(app.resolve("startup/services.aot"), app.resolve("startup/cli.aot"));
    Files.createDirectories(app.resolve("startup"));
    Files.createDirectories(app.resolve("lib"));
    Files.writeString(app.resolve("lib/programs"), "store toystore.Main\n");
    Files.writeString(app.resolve("built"), jdk + " " + root + "\n");
    for (var cache : caches) {
      Files.writeString(cache, "x");
    }
    Files.writeString(app.resolve("startup/made-for"), jdk + " " + root + "\n");

    assertThat(run("status")).isEqualTo(new Ended(0, ""));
    assertThat(caches).allSatisfy(it -> assertThat(it).exists());

    Files.writeString(app.resolve("startup/made-for"), jdk + " /home/elsewhere/clone\n");
    assertThat(run("status")).isEqualTo(new Ended(0, ""));
    assertThat(caches).noneSatisfy(it -> assertThat(it).exists());
    assertThat(app.resolve("store.options")).content().doesNotContain("AOTCache");
  }

  /// It has no source and brings Java; the script is there twice.
  @Test
  void releaseIsNeitherBuiltNorSearchesForJava() throws Exception {
    var release = release();
    for (var script : List.of("toystore", "bin/toystore")) {
      assertThat(run(release.resolve(script), "status")).isEqualTo(new Ended(0, "status\n"));
    }
    assertThat(release.resolve("target/app/store.options"))
        .hasContent("-cp \"" + release + "/lib/store-1.0.0.jar\"\ntoystore.Main\n");
  }

  @Test
  void releaseThatCannotBeWrittenSaysWhatIsNeeded() throws Exception {
    var release = release();
    var script = release.resolve("toystore");
    assertThat(run(script, "status").exitCode()).isZero();
    var startup = release.resolve("target/app/startup");
    Files.setPosixFilePermissions(startup, PosixFilePermissions.fromString("r-xr-xr-x"));
    assumeFalse(Files.isWritable(startup), "root may write to any folder");
    assertThat(run(script, "status")).isEqualTo(new Ended(0, "status\n"));
    assertThat(run(script, "train"))
        .isEqualTo(
            new Ended(
                1,
                "toystore: cannot write into "
                    + release
                    + ", where options, class caches and data are kept; unpack the archive as this user, into a folder that this user may write to\n"));
  }

  @Test
  void javaGetsAUtf8LocaleAlsoWhereTheProgramLocaleIsMissing() throws Exception {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "elsewhere Java uses UTF-8 anyway");
    var release = release();
    executable(release.resolve("runtime/bin/java"), "#!/bin/sh\necho $LC_ALL\n");
    var programs = Files.createDirectory(folder.resolve("programs"));
    for (var program : List.of("bash", "mkdir", "mv", "rm")) {
      Files.createSymbolicLink(programs.resolve(program), Path.of("/bin", program));
    }
    var builder = new ProcessBuilder(release.resolve("toystore").toString(), "status");
    builder.environment().putAll(Map.of("PATH", programs.toString(), "LC_ALL", "C"));
    assertThat(run(builder)).isEqualTo(new Ended(0, "C.UTF-8\n"));
  }

  private Path release() throws IOException {
    var release = Files.createDirectories(folder.toRealPath().resolve("töystore 1.0.0"));
    Files.createDirectories(release.resolve("lib"));
    Files.createFile(release.resolve("lib/store-1.0.0.jar"));
    Files.writeString(release.resolve("lib/programs"), "store toystore.Main\n");
    Files.createDirectories(release.resolve("runtime/bin"));
    executable(
        release.resolve("runtime/bin/java"), "#!/bin/sh\nfor last; do :; done; echo $last\n");
    for (var script : List.of("toystore", "bin/toystore")) {
      Files.createDirectories(release.resolve(script).getParent());
      executable(release.resolve(script), Files.readString(root.resolve("toystore")));
    }
    return release;
  }

  private Ended run(String... arguments) throws Exception {
    return run(root.resolve("toystore"), arguments);
  }

  private Ended run(Path script, String... arguments) throws Exception {
    var command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command);
    builder.environment().put("TOYSTORE_JAVA_HOME", jdk.toString());
    return run(builder);
  }

  private static Ended run(ProcessBuilder builder) throws Exception {
    var process = builder.redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Ended(process.waitFor(), output);
  }

  private static void executable(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
