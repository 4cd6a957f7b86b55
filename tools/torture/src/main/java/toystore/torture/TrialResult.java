package toystore.torture;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The result of a check, stored as a properties file, so that programs in other languages can
/// store theirs in the same folder.
///
/// ```
/// check=random-kills                         the name of the check
/// test=tools/torture/src/…/KillsAndPowerCuts.java  the source file of the check
/// command=./toystore torture --seed 1        the command that repeats it
/// commit=fef568d                             the tested commit; + if there were uncommitted changes
/// tried=312                                  the count
/// unit=kills                                 the unit of the count
/// seconds=1045                               the duration
/// broken=…                                   only after a failure: its message
/// untried=…                                  only if it was not run: the missing tool
/// ```
record TrialResult(Map<String, String> values) {
  static TrialResult read(Path file) {
    try (Reader text = Files.newBufferedReader(file)) {
      var properties = new Properties();
      properties.load(text);
      var values = new TreeMap<String, String>();
      properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key)));
      return new TrialResult(values);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// All results in a folder, sorted by name.
  static List<TrialResult> readAll(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".properties"))
          .sorted()
          .map(TrialResult::read)
          .toList();
    }
  }

  /// Writes the result into a folder and replaces an earlier result of the same check.
  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    var lines = new TreeMap<>(values).entrySet().stream();
    Files.write(
        folder.resolve(of("check") + ".properties"),
        lines
            .map(it ->
                it.getKey()
                    + "="
                    + it.getValue().replace("\\", "\\\\").lines().findFirst().orElse(""))
            .toList());
  }

  /// The value of a key; empty if absent.
  String of(String key) {
    return values.getOrDefault(key, "");
  }

  long tried() {
    return Long.parseLong(values.getOrDefault("tried", "0"));
  }
}
