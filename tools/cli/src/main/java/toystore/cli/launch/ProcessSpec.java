package toystore.cli.launch;

import java.util.List;
import java.util.stream.Collectors;

/// One process of the store: its program, its services and its arguments.
///
/// @param app the name of the program, of its folder and of its cache
/// @param name the name of the process in messages and of its log file: that of the program, with a
///   number from the second frontend on
/// @param services the services in this process, in the order in which they are printed
/// @param heapMiB the maximum heap in MiB
/// @param statusPort the gRPC port that is asked whether it is ready; 0: the management port is
/// @param managementPort the port of its metrics, and of the frontend's health
/// @param late whether it is started only when all that are not late are ready
/// @param arguments Spring settings, as `--key=value`
public record ProcessSpec(
    String app,
    String name,
    List<Service> services,
    int heapMiB,
    int statusPort,
    int managementPort,
    boolean late,
    List<String> arguments) {

  /// The name and the ports of a service, for messages.
  public record Service(String name, List<Port> ports) {
    public String describePorts() {
      return ports.stream()
          .map(it -> it.protocol + " " + it.number)
          .collect(Collectors.joining(", "));
    }
  }

  /// A port, its protocol, and the setting of the service that has its number.
  public record Port(String setting, String protocol, int number) {}
}
