package toystore.cli;

import java.util.List;
import java.util.stream.Collectors;

/// One process of the store: the program it runs, the services that live in it and what it is told.
///
/// @param app the program's name, which is also its folder's, its log file's and its cache's
/// @param services what it serves, in the order they are told to people
/// @param heapMiB its heap, in MiB
/// @param managementPort where it says whether it is ready
/// @param arguments in Spring's style, `--key=value`
record ProcessSpec(
    String app, List<Service> services, int heapMiB, int managementPort, List<String> arguments) {

  /// One service as people see it: its name and the ports it answers on.
  record Service(String name, List<Port> ports) {
    String portsInWords() {
      return ports.stream().map(Port::inWords).collect(Collectors.joining(", "));
    }
  }

  /// One port and what is spoken there.
  record Port(String speaks, int number) {
    String inWords() {
      return speaks + " " + number;
    }
  }
}
