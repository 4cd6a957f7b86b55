package toystore.cli.launch;

import static toystore.common.RootLocale.format;

import java.net.Inet6Address;
import java.net.InetAddress;

/// Which processes a store has, and where they listen.
///
/// @param together whether all services share one process
/// @param frontends the number of frontends; 1 if all services share one process
/// @param standby whether each service with a database has a second process
/// @param ports the ports on which they listen
/// @param listen the address of the frontend, a literal IP address; all other ports listen on
///   127.0.0.1
public record StoreLayout(
    boolean together, int frontends, boolean standby, PortPlan ports, String listen) {
  public static final String LOOPBACK = "127.0.0.1";

  /// The address of [#LOOPBACK], whichever the JVM prefers.
  public static InetAddress loopback() {
    return InetAddress.ofLiteral(LOOPBACK);
  }

  /// All services in one process.
  public static StoreLayout together(int port) {
    return new StoreLayout(true, 1, false, new PortPlan(port), LOOPBACK);
  }

  /// The frontend's URL for requests from this machine: if it listens on all addresses, on
  /// loopback.
  public String url() {
    var address = InetAddress.ofLiteral(listen);
    boolean isIpv6 = address instanceof Inet6Address;
    String host = listen;
    if (address.isAnyLocalAddress()) {
      host = isIpv6 ? "::1" : LOOPBACK;
    }
    return format("http://%s:%d", isIpv6 ? "[" + host + "]" : host, ports.frontend());
  }
}
