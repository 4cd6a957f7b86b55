package toystore.cli;

import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Writes down what a supervisor tells, and waits for what it has yet to tell.
final class RecordedEvents implements Supervisor.Listener {
  private final BlockingQueue<String> coming = new LinkedBlockingQueue<>();
  private final List<String> lines = new ArrayList<>();
  private final Map<String, Long> pids = new ConcurrentHashMap<>();

  /// All lines up to the one that is waited for.
  List<String> await(String awaited) {
    try {
      while (lines.isEmpty() || !lines.getLast().equals(awaited)) {
        var line = coming.poll(10, TimeUnit.SECONDS);
        if (line == null) {
          fail("waited for <%s>, heard %s", awaited, lines);
        } else {
          lines.add(line);
        }
      }
      return List.copyOf(lines);
    } catch (InterruptedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /// All lines until now; those that were returned before are left out.
  List<String> rest() {
    var rest = new ArrayList<String>();
    coming.drainTo(rest);
    return rest;
  }

  long pid(String part) {
    return pids.getOrDefault(part, -1L);
  }

  @Override
  public void started(ProcessSpec part, long pid) {
    pids.put(part.app(), pid);
    coming.add("started " + part.app());
  }

  @Override
  public void ready(ProcessSpec part, long pid) {
    coming.add("ready " + part.app());
  }

  @Override
  public void storeReady() {
    coming.add("store ready");
  }

  @Override
  public void say(String line) {
    coming.add(line);
  }

  @Override
  public void warn(String line) {
    coming.add(line);
  }
}
