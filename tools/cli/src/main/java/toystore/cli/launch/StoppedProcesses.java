package toystore.cli.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import toystore.cli.command.CommandRefusal;
import toystore.cli.command.YesOption;

/// Processes of a store that were stopped (SIGSTOP) when their launcher was killed. Others end when
/// the pipe on their stdin closes; these do not notice it, and keep their ports and locks.
public final class StoppedProcesses {
  private static final String LAUNCHER = "-Dtoystore.home=";
  private static final int SECONDS_TO_END = 10;

  private StoppedProcesses() {}

  /// Those that use a data folder.
  static List<ProcessHandle> on(DataFolder folder) {
    return with(Set.of("--toystore.data=" + folder.path()));
  }

  /// Those that use the data folder or a port of a store.
  static List<ProcessHandle> inTheWayOf(StorePlan plan) {
    return with(
        plan.parts().stream()
            .flatMap(part -> part.arguments().stream())
            .filter(it -> it.matches("--toystore\\.(data|.*port)=.*"))
            .collect(Collectors.toSet()));
  }

  private static List<ProcessHandle> with(Set<String> arguments) {
    return ProcessHandle.allProcesses()
        .filter(it -> arguments(it).anyMatch(arguments::contains))
        .filter(it -> isStopped(it.pid()))
        .filter(it ->
            it.parent().stream()
                .flatMap(StoppedProcesses::arguments)
                .noneMatch(argument -> argument.startsWith(LAUNCHER)))
        .toList();
  }

  private static Stream<String> arguments(ProcessHandle process) {
    return process.info().arguments().stream().flatMap(Stream::of);
  }

  /// Linux says so in the field after the program's name, which is in parentheses.
  public static boolean isStopped(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return stat.startsWith("T", stat.lastIndexOf(')') + 2);
    } catch (IOException noLinux) {
      return false;
    }
  }

  /// Such as `pid 4711 (catalog-service)`.
  static String describe(ProcessHandle process) {
    return arguments(process)
        .filter(it -> it.startsWith("--logging.file.name="))
        .map(it -> "pid " + process.pid() + it.replaceFirst(".*/(.*)\\.log$", " ($1)"))
        .findFirst()
        .orElse("pid " + process.pid());
  }

  /// Ends processes, if the user confirms.
  ///
  /// @throws CommandRefusal if not
  static void end(List<ProcessHandle> processes, YesOption yes) throws InterruptedException {
    if (processes.isEmpty()) {
      return;
    }
    String names =
        processes.stream().map(StoppedProcesses::describe).collect(Collectors.joining(", "));
    System.err.println(
        "stopped processes of a store, whose launcher was killed, hold ports and locks: " + names);
    if (!yes.confirms("End them?")) {
      throw new CommandRefusal(
          "the store is not started: its ports and locks are held by %s", names);
    }
    processes.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle process : processes) {
      try {
        process.onExit().get(SECONDS_TO_END, TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException e) {
        throw new CommandRefusal("%s did not end within %d s", describe(process), SECONDS_TO_END);
      }
    }
  }
}
