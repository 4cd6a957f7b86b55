package toystore.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Locale;
import java.util.Objects;
import toystore.platform.service.StoreServiceDescriptor;

/// The ports of one store. The frontend's port is given; all other ports are shifted by the same
/// amount. Stores whose frontends are 100 ports apart do not conflict.
record PortPlan(int frontend) {
  static final int DEFAULT = 8080;

  /// The distance from the frontend's port to the highest port of a store, 12345, on which the
  /// exchange speaks XML.
  static final int ROOM = 12_345 - DEFAULT;

  /// The ports of ten frontends end before those of a store 100 ports higher.
  static final int MAX_FRONTENDS = 10;

  private static final int LOWEST = 1024;
  private static final int HIGHEST = 65_535;

  PortPlan {
    if (frontend < LOWEST || frontend > HIGHEST - ROOM) {
      throw CommandRefusal.usage(
          String.format(
              Locale.ROOT,
              "--port must be from %d to %d; got %d",
              LOWEST,
              HIGHEST - ROOM,
              frontend));
    }
  }

  int of(StoreServiceDescriptor service) {
    return of(service, 1);
  }

  /// @param instance 1, or the number of a further frontend, whose two ports follow those of the
  ///   previous one
  int of(StoreServiceDescriptor service, int instance) {
    return moved(service.port(), instance);
  }

  int management(StoreServiceDescriptor service, int instance) {
    return moved(service.managementPort(), instance);
  }

  /// The port of a further protocol.
  int further(StoreServiceDescriptor service, String protocol) {
    return moved(Objects.requireNonNull(service.furtherPorts().get(protocol), protocol), 1);
  }

  private int moved(int usual, int instance) {
    return usual + frontend - DEFAULT + 2 * (instance - 1);
  }

  /// Whether the port can be bound now.
  static boolean isFree(InetAddress address, int port) {
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
