package toystore.lab.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import toystore.clients.BuiltPrograms;
import toystore.clients.Project;

/// A service of the module `references`, which a run of the lab builds before its first start. It
/// prints `ready URL`, before that perhaps the ports of other protocols, such as `line_port PORT`,
/// and its last argument is a folder for its files.
///
/// @param home the project folder
/// @param main its class in `toystore.reference`
/// @param arguments others than the folder
/// @param mostSeconds of warm-up; 0: as planned
public record ReferenceSubject(
    String name, Path home, String main, List<String> arguments, double mostSeconds)
    implements Subject {
  private static final AtomicBoolean BUILT = new AtomicBoolean();
  private static final String READY = "ready ";
  private static final Pattern PORT = Pattern.compile("([a-z]+_port) (\\d+)");

  @Override
  public String missing() {
    return BuiltPrograms.isRelease(home) && main.equals("JpaStore")
        ? name + " needs a clone, because a release has no JPA"
        : "";
  }

  @Override
  public double warmUpSeconds(double planned) {
    return mostSeconds == 0 ? planned : Math.min(planned, mostSeconds);
  }

  @Override
  public void prepare(Map<String, String> environment) throws IOException {
    if (!BuiltPrograms.isRelease(home) && BUILT.compareAndSet(false, true)) {
      String build =
          "./mvnw -q -B -am -Dmaven.test.skip=true -P !checks package -pl tools/references";
      Project.run(home, List.of(build.split(" ")));
    }
  }

  @Override
  public RunningSubject start(Path folder) throws IOException, InterruptedException {
    var store = new RunningSubject();
    store.values.put("product", RunningSubject.PRODUCTS);
    var program = store.add(program(folder));
    String ready =
        program.awaitLine(line -> {
          Matcher port = PORT.matcher(line);
          if (port.matches()) {
            store.values.put(port.group(1), List.of(port.group(2)));
          }
          return line.startsWith(READY);
        });
    URI url = URI.create(ready.substring(READY.length()));
    store.listensAt(url);
    store.prices = url;
    store.pids.put("server", program.pid());
    return store;
  }

  private StartedProgram program(Path folder) throws IOException {
    var command = new ArrayList<>(List.of(Project.JAVA, StartedProgram.HEAP));
    command.add("@" + home.toAbsolutePath().resolve("jvm.options"));
    command.addAll(List.of("-cp", BuiltPrograms.classPath(home, "references")));
    command.add("toystore.reference." + main);
    command.addAll(arguments);
    command.add(folder.toString());
    return new StartedProgram(name, home, Map.of(), command);
  }
}
