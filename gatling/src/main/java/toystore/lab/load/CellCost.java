package toystore.lab.load;

import java.util.Map;
import java.util.TreeMap;

/// What a cell cost the machine.
///
/// @param cpuMicros CPU time by service
/// @param syncs number of disk syncs by service; services without a database are absent
/// @param clientCpuMicros CPU time of the load client
/// @param stealShare share of the machine's CPU time that other virtual machines took, 0 to 1
public record CellCost(
    Map<String, Long> cpuMicros, Map<String, Long> syncs, long clientCpuMicros, double stealShare) {
  /// The cost of a share of the calls.
  CellCost share(double share) {
    return new CellCost(
        scaled(cpuMicros, share),
        scaled(syncs, share),
        Math.round(clientCpuMicros * share),
        stealShare);
  }

  private static Map<String, Long> scaled(Map<String, Long> costs, double share) {
    var scaled = new TreeMap<String, Long>();
    costs.forEach((service, cost) -> scaled.put(service, Math.round(cost * share)));
    return scaled;
  }
}
