package toystore.lab.load;

import static java.util.Objects.requireNonNullElse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Measures what a cell costs the machine: the CPU time of each service and of the load client, the
/// services' own timers, the disk syncs and the memory of each service, the product caches, the
/// context switches of the machine, and the time that the hypervisor took from it. Linux only. One
/// thread.
final class CellMeter {
  private static final String SYNC_TIME = "toystore_writer_sync_seconds";
  private static final Pattern SYNCS =
      Pattern.compile("^" + SYNC_TIME + "_count\\{.*} (\\S+)$", Pattern.MULTILINE);
  private static final String CACHE_READS = "cache_gets_total";
  private static final Pattern HITS = cacheReads("hit");
  private static final Pattern MISSES = cacheReads("miss");
  private static final String TIMERS =
      "http_server_requests_seconds,grpc_server_processing_duration_seconds,"
          + "toystore_writer_queue_seconds,toystore_writer_decide_seconds,toystore_writer_commit_seconds";
  private static final Pattern TIMES =
      Pattern.compile(
          "^(?:(?<http>http_server_requests)"
              + "|grpc_server_processing_duration(?=.*methodType=\"UNARY\")"
              + "(?=.*service=\"toystore\\.(?<service>\\w+))|toystore_writer_(?<step>queue|decide|commit))_seconds_sum\\{.*}"
              + " (?<seconds>\\S+)$",
          Pattern.MULTILINE);
  private static final Pattern RESIDENT =
      Pattern.compile("^VmRSS:\\s+(\\d+) kB$", Pattern.MULTILINE);
  private static final Pattern SWITCHES = Pattern.compile("^ctxt (\\d+)$", Pattern.MULTILINE);
  private static final int STEAL = 7; // fields of the line cpu in /proc/stat, from user = 0
  private static final int TICK_MICROS = 10_000; // USER_HZ is 100 on Linux

  private final Map<String, Long> pids;
  private final Map<String, URI> metrics;
  private Reading begun =
      new Reading(Map.of(), Map.of(), Map.of(), 0, 0, 0, 0, new long[STEAL + 1]);

  /// Counters since the start of the processes.
  private record Reading(
      Map<String, Long> cpuMicros,
      Map<String, Long> timeMicros,
      Map<String, Long> syncs,
      long cacheHits,
      long cacheMisses,
      long ownMicros,
      long switches,
      long[] ticks) {}

  /// @param pids process id by service
  /// @param metrics URL of the Prometheus page by service
  CellMeter(Map<String, Long> pids, Map<String, URI> metrics) {
    this.pids = Map.copyOf(pids);
    this.metrics = Map.copyOf(metrics);
  }

  void begin() {
    begun = read();
  }

  /// The cost since [#begin].
  CellCost end() {
    Reading now = read();
    long all = 0;
    for (int i = 0; i <= STEAL; i++) {
      all += now.ticks[i] - begun.ticks[i];
    }
    var residentKb = new TreeMap<String, Long>();
    pids.forEach((service, pid) -> residentKb.put(service, residentKb(pid)));
    return new CellCost(
        minus(now.cpuMicros, begun.cpuMicros),
        minus(now.timeMicros, begun.timeMicros),
        minus(now.syncs, begun.syncs),
        residentKb,
        now.cacheHits - begun.cacheHits,
        now.cacheMisses - begun.cacheMisses,
        now.ownMicros - begun.ownMicros,
        now.switches - begun.switches,
        all == 0 ? 0 : (double) (now.ticks[STEAL] - begun.ticks[STEAL]) / all);
  }

  private static Map<String, Long> minus(Map<String, Long> now, Map<String, Long> before) {
    var difference = new TreeMap<String, Long>();
    now.forEach((name, value) -> difference.put(name, value - before.getOrDefault(name, 0L)));
    return difference;
  }

  private Reading read() {
    var cpu = new TreeMap<String, Long>();
    pids.forEach((service, pid) -> cpu.put(service, cpuMicros(pid)));
    var times = new TreeMap<String, Long>();
    var syncs = new TreeMap<String, Long>();
    long hits = 0;
    long misses = 0;
    for (Map.Entry<String, URI> service : metrics.entrySet()) {
      String page = page(service.getValue());
      addTimes(page, times);
      hits += sum(HITS, page).orElse(0);
      misses += sum(MISSES, page).orElse(0);
      sum(SYNCS, page).ifPresent(it -> syncs.put(service.getKey(), it));
    }
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    String stat = text(Path.of("/proc/stat"));
    Matcher switches = SWITCHES.matcher(stat);
    long[] ticks =
        Stream.of(stat.lines().findFirst().orElseThrow().split("\\s+"))
            .skip(1)
            .limit(STEAL + 1)
            .mapToLong(Long::parseLong)
            .toArray();
    return new Reading(
        cpu,
        times,
        syncs,
        hits,
        misses,
        system.getProcessCpuTime() / 1_000,
        switches.find() ? Long.parseLong(switches.group(1)) : 0,
        ticks);
  }

  // proc(5): fields 14 and 15 are user and system time; the second field may contain spaces
  private static long cpuMicros(long pid) {
    String stat = text(Path.of("/proc", Long.toString(pid), "stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_MICROS;
  }

  private static long residentKb(long pid) {
    Matcher found = RESIDENT.matcher(text(Path.of("/proc", Long.toString(pid), "status")));
    return found.find() ? Long.parseLong(found.group(1)) : 0; // 0: it has ended
  }

  private static Pattern cacheReads(String result) {
    return Pattern.compile(
        "^" + CACHE_READS + "\\{.*result=\"" + result + "\".*} (\\S+)$", Pattern.MULTILINE);
  }

  private static void addTimes(String page, Map<String, Long> times) {
    TIMES
        .matcher(page)
        .results()
        .forEach(timer -> {
          String part = "frontend";
          if (timer.group("http") == null) {
            part = requireNonNullElse(timer.group("service"), timer.group("step"));
          }
          times.merge(part, (long) (Double.parseDouble(timer.group("seconds")) * 1e6), Long::sum);
        });
  }

  /// @return empty if the page has no such metric
  private static OptionalLong sum(Pattern metric, String page) {
    List<MatchResult> found = metric.matcher(page).results().toList();
    return found.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(
            found.stream().mapToLong(it -> (long) Double.parseDouble(it.group(1))).sum());
  }

  private static String page(URI url) {
    String names = "?includedNames=" + TIMERS + "," + SYNC_TIME + ",cache_gets," + CACHE_READS;
    try (var page = URI.create(url + names).toURL().openStream()) {
      return new String(page.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the metrics at " + url, e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
