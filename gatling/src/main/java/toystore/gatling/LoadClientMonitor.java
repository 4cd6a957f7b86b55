package toystore.gatling;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import toystore.gatling.result.RepetitionSummary;

/// Measures the load client itself, because its measurements are useless if it is overloaded. A
/// thread that sleeps 1 ms at a time measures how late threads wake in this JVM, whatever the cause
/// (after Gil Tene's jHiccup). One thread calls this class.
public final class LoadClientMonitor {
  private static final long SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final Path STAT = Path.of("/proc/stat");

  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private final Recorder lateMicros = new Recorder(3);
  private long beganNanos;
  private long beganCpuNanos;
  private CpuTicks beganTicks = new CpuTicks(0, 0);

  /// CPU ticks of all cores since the machine started.
  private record CpuTicks(long busy, long all) {}

  public LoadClientMonitor() {
    Thread.ofPlatform().daemon().name("lateness").start(this::measureLateness);
  }

  private void measureLateness() {
    while (true) {
      long from = System.nanoTime();
      LockSupport.parkNanos(SLEEP_NANOS);
      lateMicros.recordValue(Math.max(0, System.nanoTime() - from - SLEEP_NANOS) / 1_000);
    }
  }

  public void begin() {
    lateMicros.reset();
    beganTicks = readCpuTicks();
    beganNanos = System.nanoTime();
    beganCpuNanos = system.getProcessCpuTime();
  }

  /// The load of the client since [#begin].
  ///
  /// @param gapMicros mean time between an answer and the same client's next call
  public RepetitionSummary.Strain end(double gapMicros) {
    double wall = System.nanoTime() - beganNanos;
    double cores = (system.getProcessCpuTime() - beganCpuNanos) / wall;
    CpuTicks now = readCpuTicks();
    double share =
        now.all == beganTicks.all
            ? Double.NaN
            : (double) (now.busy - beganTicks.busy) / (now.all - beganTicks.all);
    Histogram late = lateMicros.getIntervalHistogram();
    return new RepetitionSummary.Strain(cores, share, gapMicros, late.getValueAtPercentile(99));
  }

  // cpu user nice system idle iowait irq softirq steal …
  private static CpuTicks readCpuTicks() {
    try {
      List<Long> ticks =
          List.of(Files.readAllLines(STAT).getFirst().trim().split("\\s+")).stream()
              .skip(1)
              .limit(8)
              .map(Long::parseLong)
              .toList();
      long all = ticks.stream().mapToLong(Long::longValue).sum();
      return new CpuTicks(all - ticks.get(3) - ticks.get(4), all);
    } catch (IOException noLinux) {
      return new CpuTicks(0, 0);
    }
  }
}
