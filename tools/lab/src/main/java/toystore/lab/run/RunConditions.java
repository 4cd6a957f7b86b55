package toystore.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import toystore.clients.BuiltPrograms;
import toystore.clients.Project;

/// Under which conditions a run was made. No run is compared with one of another machine.
final class RunConditions {
  private RunConditions() {}

  static Map<String, String> facts() throws IOException {
    var facts = new TreeMap<String, String>();
    facts.put("started", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put(
        "commit",
        BuiltPrograms.release(Project.HOME)
            .map("release "::concat)
            .orElseGet(RunConditions::commit));
    facts.put("cpu", field("/proc/cpuinfo", "model name"));
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("memory", field("/proc/meminfo", "MemTotal"));
    facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("java", Runtime.version().toString());
    facts.put("load client flags", String.join(" ", StartRun.FLAGS));
    facts.put("file system", Files.getFileStore(Path.of("").toAbsolutePath()).toString());
    return facts;
  }

  private static String commit() {
    String changes =
        output("git", "status", "--porcelain", "-uno").isEmpty() ? "" : ", with changes";
    return output("git", "rev-parse", "--short=12", "HEAD") + changes;
  }

  private static String field(String file, String name) {
    try (var lines = Files.lines(Path.of(file))) {
      return lines
          .filter(line -> line.startsWith(name))
          .findFirst()
          .map(line -> line.substring(line.indexOf(':') + 1).strip().replaceAll("\\s+", " "))
          .orElse("unknown");
    } catch (IOException noLinux) {
      return "unknown";
    }
  }

  private static String output(String... command) {
    try {
      return Project.run(List.of(command));
    } catch (IOException noRepository) {
      return "";
    }
  }
}
