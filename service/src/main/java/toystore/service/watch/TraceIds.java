package toystore.service.watch;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// Lets each log event bear `traceId`, that of the request its thread works on. It is looked up
/// when something is logged, so a request that logs nothing pays nothing.
public final class TraceIds extends LogbackMDCAdapter {
  private static final String NAME = "traceId";

  private TraceIds() {}

  /// Once a process.
  public static void install() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logback
        && !(logback.getMDCAdapter() instanceof TraceIds)) {
      logback.setMDCAdapter(new TraceIds());
      logback.getStatusManager().clear(); // it warns of a second adapter, on standard error
    }
  }

  @Override
  public @Nullable Map<String, String> getPropertyMap() {
    Map<String, String> others = super.getPropertyMap();
    String traceId = Trail.currentTraceId();
    if (traceId == null) {
      return others;
    }
    Map<String, String> all = others == null ? new HashMap<>() : new HashMap<>(others);
    all.put(NAME, traceId);
    return all;
  }
}
