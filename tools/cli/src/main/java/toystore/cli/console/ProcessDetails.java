package toystore.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import toystore.cli.launch.JavaCommandLine;
import toystore.cli.launch.ProcessSpec;

/// What is shown of a process that was chosen.
///
/// @param log the end of its log
/// @param settings those that are not defaults
record ProcessDetails(String log, List<Setting> settings) {
  private static final int LOG_BYTES = 16_384;
  private static final String LOG_FILE = "--logging.file.name=";
  private static final Pattern SECRET = Pattern.compile("(?i).*(password|token|secret|user)");
  private static final Pattern CREDENTIALS = Pattern.compile("(?i)//[^/@]*(?=@)|password=[^&]*");

  /// A setting. Secrets are masked.
  ///
  /// @param source where it was set
  record Setting(String key, String value, String source) {}

  static ProcessDetails of(ProcessSpec part) throws IOException {
    String log =
        part.arguments().stream().filter(it -> it.startsWith(LOG_FILE)).findFirst().orElseThrow();
    return new ProcessDetails(
        endOf(Path.of(log.substring(LOG_FILE.length()))), List.copyOf(settings(part).values()));
  }

  private static String endOf(Path log) throws IOException {
    if (!Files.exists(log)) {
      return "";
    }
    try (var file = new RandomAccessFile(log.toFile(), "r")) {
      var bytes = new byte[(int) Math.min(file.length(), LOG_BYTES)];
      file.seek(file.length() - bytes.length);
      file.readFully(bytes);
      return new String(bytes, UTF_8);
    }
  }

  private static Map<String, Setting> settings(ProcessSpec part) throws IOException {
    var settings = new TreeMap<String, Setting>();
    Path file =
        JavaCommandLine.projectFolder().resolve("config").resolve(part.app() + ".properties");
    if (Files.exists(file)) {
      var properties = new Properties();
      try (BufferedReader reader = Files.newBufferedReader(file)) {
        properties.load(reader);
      }
      properties.forEach((key, value) -> add(settings, key.toString(), value.toString(), "file"));
    }
    System.getenv()
        .forEach((key, value) -> {
          if (key.startsWith("TOYSTORE_")) {
            add(settings, key, value, "environment");
          }
        });
    for (String argument : part.arguments()) {
      String[] setting = argument.substring(2).split("=", 2);
      add(settings, setting[0], setting[1], "command line");
    }
    return settings;
  }

  private static void add(Map<String, Setting> settings, String key, String value, String source) {
    String shown =
        SECRET.matcher(key).matches() ? "••••" : CREDENTIALS.matcher(value).replaceAll("••••");
    settings.put(key, new Setting(key, shown, source));
  }
}
