package toystore.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import toystore.platform.service.ServiceDescriptor;

/// The ports of one store: the frontend's is given, every other one keeps its distance to it.
/// Stores whose frontends are 100 ports apart do not meet.
record PortPlan(int frontend) {
  static final int DEFAULT = 8080;

  /// The room a store keeps above its frontend's port.
  static final int ROOM = 1101;

  private static final int LOWEST = 1024;
  private static final int HIGHEST = 65_535;

  PortPlan {
    if (frontend < LOWEST || frontend > HIGHEST - ROOM) {
      throw CommandRefused.usage(
          "--port must be from %d to %d; got %d".formatted(LOWEST, HIGHEST - ROOM, frontend));
    }
  }

  int of(ServiceDescriptor service) {
    return moved(service.port());
  }

  int management(ServiceDescriptor service) {
    return moved(service.managementPort());
  }

  private int moved(int usual) {
    return usual + frontend - DEFAULT;
  }

  /// Whether nobody listens there now.
  static boolean isFree(InetAddress address, int port) {
    try (var socket = new ServerSocket()) {
      // what a store that just ended left in TIME_WAIT is no hindrance
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(address, port));
      return true;
    } catch (IOException busy) {
      return false;
    }
  }
}
