package toystore.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.Optional;

/// Where the programs of a project folder are: `target/app/lib` of a clone, which `./toystore`
/// fills, or `lib` of an unpacked release. The release has no source and is never built.
///
/// ```
/// toystore-1.0.0/bin/toystore, toystore   the launcher, twice
///                lib/                     the jars of all programs
///                lib/programs             their names and main classes
///                lib/*.properties         the descriptors of the services
///                runtime/                 Java
///                target/, data/           what it writes
/// ```
public final class BuiltPrograms {
  private static final String STORE = "store";

  private BuiltPrograms() {}

  public static boolean isRelease(Path home) {
    return Files.exists(home.resolve("lib/programs"));
  }

  /// The version of a release, such as `1.0.0`; empty for a clone.
  public static Optional<String> release(Path home) {
    if (!isRelease(home)) {
      return Optional.empty();
    }
    String jar = jar(home, STORE).getFileName().toString();
    return Optional.of(jar.substring(STORE.length() + 1, jar.length() - ".jar".length()));
  }

  /// The jar of a program that the launcher starts, such as `store`. Its dependencies are in the
  /// same folder.
  ///
  /// @throws IllegalStateException if there is none
  public static Path jar(Path home, String program) {
    return in(home.resolve(isRelease(home) ? "lib" : "target/app/lib"), program);
  }

  /// The class path of a program of the folder `tools`, such as `lab`. A program of a release names
  /// its dependencies in its jar.
  public static String classPath(Path home, String tool) {
    if (isRelease(home)) {
      return jar(home, tool).toString();
    }
    Path target = home.toAbsolutePath().resolve("tools").resolve(tool).resolve("target");
    return target.resolve("classes") + ":" + target.resolve("lib") + "/*";
  }

  static Path in(Path folder, String program) {
    try (var jars = Files.newDirectoryStream(folder, program + "-[0-9]*.jar")) {
      return jars.iterator().next();
    } catch (IOException | NoSuchElementException notBuilt) {
      throw new IllegalStateException(
          "no jar of " + program + " in " + folder + "; run ./mvnw package first", notBuilt);
    }
  }

  /// Whether a command cannot run because this is a release; then says so on stderr.
  ///
  /// @param command such as `lab ab`
  public static boolean lacksSource(String command) {
    boolean lacks = isRelease(Project.HOME);
    if (lacks) {
      System.err.println(
          command + " needs the source and its history: run it in a clone, not in a release");
    }
    return lacks;
  }
}
