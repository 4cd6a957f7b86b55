package toystore.lab.run;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import toystore.lab.load.CellRow;
import toystore.lab.load.LoadProgram;
import toystore.lab.load.StartPlan;

/// Runs load clients: each is a JVM of its own. One thread.
///
/// @param folder for their files
/// @param running what they call
record LoadClient(Path folder, Subject subject, RunningSubject running) {
  private static final JsonMapper JSON = new JsonMapper();
  static final List<String> FLAGS =
      List.of(
          "-Xms512m",
          "-Xmx1g", // the buffers of 18,000 connections
          "-XX:+UseSerialGC",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  private static final int LAST_LINES = 30;

  private Path file(String name) {
    return folder.resolve(name);
  }

  /// Runs the plan.
  List<CellRow> rows(StartPlan plan) throws IOException, InterruptedException {
    JSON.writeValue(file("plan.json").toFile(), plan);
    var command = new ArrayList<String>();
    command.add(StartedProgram.JAVA);
    command.addAll(FLAGS);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(LoadProgram.class.getName());
    command.addAll(List.of(file("plan.json").toString(), file("rows").toString()));
    Process client =
        new ProcessBuilder(StartedProgram.besideCores(subject.cores(), command))
            .redirectError(ProcessBuilder.Redirect.appendTo(file("output").toFile()))
            .start();
    serve(client);
    if (client.waitFor() != 0) {
      List<String> printed = Files.readAllLines(file("stdout"));
      List<String> last = printed.subList(Math.max(0, printed.size() - LAST_LINES), printed.size());
      throw new IOException(
          "the load client failed: "
              + Files.readString(file("output")).strip()
              + "\n"
              + String.join("\n", last));
    }
    try (var rows = JSON.readerFor(CellRow.class).<CellRow>readValues(file("rows").toFile())) {
      return rows.readAll();
    }
  }

  /// Answers each line `condition NAME` with a URL; keeps all other lines.
  private void serve(Process client) throws IOException {
    try (var lines = client.inputReader(StandardCharsets.UTF_8);
        var replies = new PrintWriter(client.getOutputStream(), true, StandardCharsets.UTF_8);
        var output = Files.newBufferedWriter(file("stdout"))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("condition ")) {
          replies.println(running.apply(line.substring("condition ".length())));
        } else {
          output.write(line + "\n");
        }
      }
    }
  }
}
