package toystore.lab.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import toystore.lab.load.PriceUpdater;

/// A service of the module `references`, which a run of the lab builds before its first start. It
/// prints `ready URL`, before that perhaps the ports of other protocols, such as `line_port PORT`,
/// and its last argument is a folder for its files.
///
/// @param home the project folder
/// @param main its class in `toystore.reference`
/// @param cores that it may use; 0: all
/// @param arguments others than the folder
public record ReferenceSubject(
    String name, Path home, String main, int cores, List<String> arguments) implements Subject {
  private static final AtomicBoolean BUILT = new AtomicBoolean();
  private static final String READY = "ready ";
  private static final Pattern PORT = Pattern.compile("([a-z]+_port) (\\d+)");

  @Override
  public boolean hasCondition(String condition) {
    return condition.isEmpty() || condition.equals("updates") && main.equals("LockedBazaar");
  }

  @Override
  public Running start(Path folder) throws IOException, InterruptedException {
    Path target = home.toAbsolutePath().resolve("tools/references/target");
    if (BUILT.compareAndSet(false, true)) {
      String build =
          "./mvnw -q -B -am -Dmaven.test.skip=true -P !checks package -pl tools/references";
      StartedProgram.output(home, List.of(build.split(" ")));
    }
    var all = new ArrayList<>(arguments);
    all.add(folder.toString());
    List<String> command =
        StartedProgram.server(
            home,
            String.format(Locale.ROOT, "%s:%s/*", target.resolve("classes"), target.resolve("lib")),
            "toystore.reference." + main,
            all);
    var values = new TreeMap<>(Map.of("product", LauncherSubject.products()));
    var program = new StartedProgram(name, home, Map.of(), StartedProgram.onCores(cores, command));
    String ready =
        program.awaitLine(line -> {
          Matcher port = PORT.matcher(line);
          if (port.matches()) {
            values.put(port.group(1), List.of(port.group(2)));
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
