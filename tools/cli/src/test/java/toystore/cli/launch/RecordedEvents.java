package toystore.cli.launch;

import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import toystore.clients.Conditions;

/// Records the events of a supervisor and waits for expected events.
final class RecordedEvents implements Supervisor.Listener {
  private final BlockingQueue<String> queue = new LinkedBlockingQueue<>();
  private final List<String> lines = new ArrayList<>();
  private final Map<String, Long> pids = new ConcurrentHashMap<>();

  /// Waits for a line and returns all lines up to it.
  List<String> await(String awaited) {
    try {
      while (lines.isEmpty() || !lines.getLast().equals(awaited)) {
        var line = queue.poll(10, TimeUnit.SECONDS);
        if (line == null) {
          fail("waited for <%s>, received %s", awaited, lines);
        } else {
          lines.add(line);
        }
      }
      return List.copyOf(lines);
    } catch (InterruptedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /// Waits for several lines, in any order.
  void awaitAll(String... awaited) {
    Conditions.await(() -> {
      queue.drainTo(lines);
      return lines.containsAll(List.of(awaited));
    });
  }

  /// Returns the lines that were recorded since the last call of [#await] or of this method.
  List<String> rest() {
    var rest = new ArrayList<String>();
    queue.drainTo(rest);
    return rest;
  }

  long pid(String part) {
    return pids.getOrDefault(part, -1L);
  }

  @Override
  public void onStarted(ProcessSpec part, Process process) {
    pids.put(part.name(), process.pid());
    queue.add("started " + part.name());
  }

  @Override
  public void ready(ProcessSpec part, long pid, boolean standby) {
    queue.add((standby ? "standby " : "ready ") + part.name());
  }

  @Override
  public void lateStarting() {
    queue.add("late starting");
  }

  @Override
  public void starting(List<String> names) {
    queue.add("starting " + String.join(", ", names));
  }

  @Override
  public void storeReady() {
    queue.add("store ready");
  }

  @Override
  public void say(String line) {
    queue.add(line);
  }

  @Override
  public void warn(String line) {
    queue.add(line);
  }
}
