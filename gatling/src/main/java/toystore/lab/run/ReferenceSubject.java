package toystore.lab.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import toystore.lab.load.PriceUpdater;

/// A service of the module `references`, which a run of the lab builds before its first start. It
/// prints `ready URL`, before that perhaps `line_port PORT`, and its last argument is a folder for
/// its files.
///
/// @param home the project folder
/// @param main its class in `toystore.reference`
/// @param arguments others than the folder
public record ReferenceSubject(String name, Path home, String main, List<String> arguments)
    implements Subject {
  private static final AtomicBoolean BUILT = new AtomicBoolean();
  private static final String READY = "ready ";
  private static final String LINE_PORT = "line_port ";
  private static final String HEAP = "-Xmx192m"; // as the frontend

  @Override
  public boolean hasCondition(String condition) {
    return condition.isEmpty() || condition.equals("updates") && main.equals("LockedBazaar");
  }

  @Override
  public Running start(Path folder) throws IOException, InterruptedException {
    Path target = home.toAbsolutePath().resolve("references/target");
    if (BUILT.compareAndSet(false, true)) {
      String build = "./mvnw -q -B -am -Dmaven.test.skip=true -P !checks package -pl references";
      StartedProgram.output(home, List.of(build.split(" ")));
    }
    var command =
        new ArrayList<>(
            List.of(
                StartedProgram.JAVA,
                HEAP,
                "@" + home.toAbsolutePath().resolve("jvm.options"),
                "-cp",
                "%s:%s/*".formatted(target.resolve("classes"), target.resolve("lib")),
                "toystore.reference." + main));
    command.addAll(arguments);
    command.add(folder.toString());
    var values = new TreeMap<>(Map.of("product", LauncherSubject.products()));
    var program = new StartedProgram(name, home, Map.of(), command);
    String ready =
        program.awaitLine(line -> {
          if (line.startsWith(LINE_PORT)) {
            values.put("line_port", List.of(line.substring(LINE_PORT.length())));
          }
          return line.startsWith(READY);
        });
    return new RunningReference(program, URI.create(ready.substring(READY.length())), values);
  }

  private static final class RunningReference implements Running {
    private final StartedProgram program;
    private final URI url;
    private final Map<String, List<String>> values;
    private PriceUpdater updater = PriceUpdater.NONE;

    RunningReference(StartedProgram program, URI url, Map<String, List<String>> values) {
      this.program = program;
      this.url = url;
      this.values = values;
    }

    @Override
    public URI url() {
      return url;
    }

    @Override
    public Map<String, Long> pids() {
      return Map.of("server", program.pid());
    }

    @Override
    public Map<String, List<String>> values() {
      return values;
    }

    @Override
    public URI apply(String condition) {
      updater.close();
      updater = condition.isEmpty() ? PriceUpdater.NONE : PriceUpdater.start(url);
      return url;
    }

    @Override
    public void close() throws InterruptedException {
      updater.close();
      program.close();
    }
  }
}
