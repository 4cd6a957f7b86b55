package toystore.lab.load;

import java.util.Map;

/// What a cell cost the machine.
///
/// @param cpuMicros CPU time by service
/// @param syncs number of disk syncs by service; services without a database are absent
/// @param clientCpuMicros CPU time of the load client
/// @param stealShare share of the machine's CPU time that other virtual machines took, 0 to 1
public record CellCost(
    Map<String, Long> cpuMicros,
    Map<String, Long> syncs,
    long clientCpuMicros,
    double stealShare) {}
