package toystore.lab.load;

import java.util.Map;
import java.util.TreeMap;

/// What a cell cost the machine.
///
/// @param cpuMicros CPU time by service
/// @param timeMicros sum of the times that the services measured, by part: `frontend` and the
///   called services include those that they call; `queue`, `decide` and `commit` are the writers'
/// @param syncs number of disk syncs by service; services without a database are absent
/// @param cacheHits queries that the frontends' product caches answered
/// @param cacheMisses queries that they did not answer
/// @param clientCpuMicros CPU time of the load client
/// @param residentKb resident memory by service at the end of the cell
/// @param contextSwitches of all programs of the machine
/// @param stealShare share of the machine's CPU time that other virtual machines took, 0 to 1
public record CellCost(
    Map<String, Long> cpuMicros,
    Map<String, Long> timeMicros,
    Map<String, Long> syncs,
    Map<String, Long> residentKb,
    long cacheHits,
    long cacheMisses,
    long clientCpuMicros,
    long contextSwitches,
    double stealShare) {
  /// The cost of a share of the calls.
  CellCost share(double share) {
    return new CellCost(
        scaled(cpuMicros, share),
        scaled(timeMicros, share),
        scaled(syncs, share),
        residentKb,
        Math.round(cacheHits * share),
        Math.round(cacheMisses * share),
        Math.round(clientCpuMicros * share),
        Math.round(contextSwitches * share),
        stealShare);
  }

  private static Map<String, Long> scaled(Map<String, Long> costs, double share) {
    var scaled = new TreeMap<String, Long>();
    costs.forEach((service, cost) -> scaled.put(service, Math.round(cost * share)));
    return scaled;
  }
}
