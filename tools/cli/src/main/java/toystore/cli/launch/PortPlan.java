package toystore.cli.launch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import toystore.cli.command.CommandRefusal;
import toystore.platform.service.StoreServiceDescriptor;
import toystore.platform.service.StoreServiceDescriptor.Protocol;

/// The ports of one store. The frontend's port is given; all other ports are shifted by the same
/// amount. Stores whose frontends are 100 ports apart do not conflict.
public record PortPlan(int frontend) {
  public static final int DEFAULT = 8080;

  /// The distance from a port of a service to that of its standby.
  private static final int STANDBY = 20;

  /// The distance from the frontend's port to the highest port of a store, on which a standby of
  /// the exchange speaks XML.
  public static final int ROOM = 12_345 + STANDBY - DEFAULT;

  /// The file with the system's range of ports of outgoing connections.
  static final Path OUTGOING = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

  /// The ports of ten frontends end before those of a store 100 ports higher.
  static final int MAX_FRONTENDS = 10;

  private static final int LOWEST = 1025;
  private static final int HIGHEST = 65_535;

  public PortPlan {
    CommandRefusal.requireRange("--port", frontend, LOWEST, HIGHEST - ROOM);
  }

  /// The port of the launcher's console.
  public int console() {
    return frontend - 1;
  }

  public int of(StoreServiceDescriptor service) {
    return of(service, 1);
  }

  /// @param instance 1; the number of a further frontend, whose two ports follow those of the
  ///   previous one; or 2 for the standby of another service
  public int of(StoreServiceDescriptor service, int instance) {
    return moved(service, service.port(), instance);
  }

  int management(StoreServiceDescriptor service, int instance) {
    return moved(service, service.managementPort(), instance);
  }

  /// The ports of further protocols by their names.
  public SortedMap<String, Integer> further(StoreServiceDescriptor service, int instance) {
    var ports = new TreeMap<>(service.furtherPorts());
    ports.replaceAll((_, usual) -> moved(service, usual, instance));
    return ports;
  }

  private int moved(StoreServiceDescriptor service, int usual, int instance) {
    return of(service, usual + frontend - DEFAULT, instance);
  }

  /// The port of a process that corresponds to a port of the first process.
  static int of(StoreServiceDescriptor service, int first, int instance) {
    int distance = service.protocol() == Protocol.HTTP ? 2 : STANDBY;
    return first + distance * (instance - 1);
  }

  /// Whether the port can be bound now.
  public static boolean isFree(InetAddress address, int port) {
    try (var socket = new ServerSocket()) {
      // connections in TIME_WAIT of a store that just stopped do not matter
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(address, port));
      return true;
    } catch (IOException busy) {
      return false;
    }
  }
}
