package toystore.lab.run;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import toystore.lab.load.CellRow;
import toystore.lab.load.StartPlan;

/// Runs load clients: each is a JVM of its own. One thread.
///
/// @param folder for their files
record LoadClient(Path folder) {
  private static final JsonMapper JSON = new JsonMapper();
  static final List<String> FLAGS =
      List.of(
          "-Xms512m",
          "-Xmx512m",
          "-XX:+UseSerialGC",
          "--enable-native-access=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED", // Gatling's writer of its log
          "--sun-misc-unsafe-memory-access=allow");

  /// What switches the conditions of a subject.
  interface Conditions {
    /// @return the URL to call
    URI apply(String condition) throws IOException;
  }

  /// Runs the plan with the load program of the subject.
  List<CellRow> own(StartPlan plan, Subject.Running running)
      throws IOException, InterruptedException {
    write(plan);
    return rows(
        List.of(running.loadProgram(), file("plan.json").toString(), file("rows").toString()),
        List.of(),
        running.libraries(),
        running::apply);
  }

  /// Runs the plan with a Gatling simulation.
  ///
  /// @param reports where Gatling writes its own report
  List<CellRow> gatling(StartPlan plan, String simulation, Path reports)
      throws IOException, InterruptedException {
    write(plan);
    return rows(
        List.of("io.gatling.app.Gatling", "-s", simulation, "-rf", reports.toString()),
        List.of(
            "-Dtoystore.lab.plan=" + file("plan.json"),
            "-Dtoystore.lab.rows=" + file("rows"),
            // Gatling asks Maven Central for a newer Gatling and notes the answer in the home
            // folder; no setting turns that off, but a proxy that does not exist makes it fail
            "-Dhttps.proxyHost=127.0.0.1",
            "-Dhttps.proxyPort=9",
            "-Djava.util.prefs.userRoot=" + folder),
        "",
        condition -> {
          throw new IOException("a simulation has no condition " + condition);
        });
  }

  private void write(StartPlan plan) throws IOException {
    JSON.writeValue(file("plan.json").toFile(), plan);
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  private List<CellRow> rows(
      List<String> program, List<String> properties, String libraries, Conditions conditions)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(properties);
    command.addAll(List.of("-cp", System.getProperty("java.class.path") + libraries));
    command.addAll(program);
    Process client =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(file("output").toFile()))
            .start();
    serve(client, conditions);
    if (client.waitFor() != 0) {
      throw new IOException(
          "the load client failed: %s".formatted(Files.readString(file("output")).strip()));
    }
    var rows = new ArrayList<CellRow>();
    for (String line : Files.readAllLines(file("rows"))) {
      rows.add(JSON.readValue(line, CellRow.class));
    }
    return rows;
  }

  /// Answers each line `condition NAME` with a URL; keeps all other lines.
  private void serve(Process client, Conditions conditions) throws IOException {
    try (var lines =
            new BufferedReader(
                new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
        var replies = new PrintWriter(client.getOutputStream(), true, StandardCharsets.UTF_8);
        var output = Files.newBufferedWriter(file("stdout"))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("condition ")) {
          replies.println(conditions.apply(line.substring("condition ".length())));
        } else {
          output.write(line + "\n");
        }
      }
    }
  }
}
