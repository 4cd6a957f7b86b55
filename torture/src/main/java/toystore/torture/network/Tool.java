package toystore.torture.network;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// A program that is not of the JDK.
final class Tool {
  private Tool() {}

  /// On the path, or where `.ci/tools` puts what it builds.
  static Optional<Path> find(String name) {
    Stream<Path> path =
        Arrays.stream(
                Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator))
            .map(Path::of);
    return Stream.concat(path, Stream.of(cache().resolve("toystore").resolve("bin")))
        .map(it -> it.resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  static Optional<String> missing(String name) {
    return find(name).isPresent()
        ? Optional.empty()
        : Optional.of("there is no %s: .ci/tools go-checks builds it".formatted(name));
  }

  private static Path cache() {
    String told = System.getenv("XDG_CACHE_HOME");
    return told == null ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(told);
  }
}
