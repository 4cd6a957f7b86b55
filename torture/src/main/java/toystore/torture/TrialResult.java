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

/// What a check found, as a file of properties: so that other programs, in other languages, may
/// leave theirs beside it.
///
/// ```
/// check=random-kills                         its name
/// test=torture/src/…/RandomKills.java        what made it
/// command=./toystore torture --seed 1        how to make it again
/// commit=fef568d                             of what; with a + where files were changed since
/// tried=312                                  how often
/// unit=kills
/// seconds=1045
/// broken=…                                   where a promise was: what was said
/// untried=…                                  where there was no tool: which one
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

  /// All in a folder, by name.
  static List<TrialResult> readAll(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".properties"))
          .sorted()
          .map(TrialResult::read)
          .toList();
    }
  }

  /// Writes it into a folder, in the place of an earlier one of the same check.
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

  /// Empty where it says nothing of it.
  String of(String key) {
    return values.getOrDefault(key, "");
  }

  long tried() {
    return Long.parseLong(values.getOrDefault("tried", "0"));
  }
}
