package toystore.frontend.http.request;

import jakarta.servlet.http.HttpServletRequest;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/// The address of a client, for limits: of IPv6 the first 64 bits, because a client may choose the
/// others. Behind a trusted proxy, Tomcat has replaced the proxy's address
/// (`server.forward-headers-strategy`).
///
/// @param value such as `192.0.2.1` or `2001:db8:0:1:0:0:0:0/64`
public record ClientAddress(String value) {
  private static final int PREFIX_BYTES = 8;

  public static ClientAddress of(HttpServletRequest request) {
    return of(request.getRemoteAddr());
  }

  static ClientAddress of(String address) {
    try {
      return InetAddress.ofLiteral(address) instanceof Inet6Address it
          ? new ClientAddress(prefix(it) + "/64")
          : new ClientAddress(address);
    } catch (IllegalArgumentException | UnknownHostException noAddress) {
      return new ClientAddress(address);
    }
  }

  private static String prefix(Inet6Address address) throws UnknownHostException {
    byte[] bytes = address.getAddress();
    Arrays.fill(bytes, PREFIX_BYTES, bytes.length, (byte) 0);
    return InetAddress.getByAddress(bytes).getHostAddress();
  }
}
