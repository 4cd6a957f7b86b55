package toystore.platform.service;

import static toystore.common.RootLocale.format;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;

/// The hosts that requests of an HTTP port may name; others are answered with 421 (Misdirected
/// Request). A web page can make its own name resolve to 127.0.0.1 (DNS rebinding); the browser
/// then lets it read answers of services on this machine. Its requests still have the page's name
/// in the `Host` header.
///
/// A port that listens on loopback accepts loopback names and addresses, and the names in the
/// setting `hosts`. Any other port checks the header only if the setting is set, and then accepts
/// every address, because probes use addresses, and a page with an address as its host cannot be
/// rebound. Requests without the header (HTTP/1.0) are accepted. Any thread.
public final class AllowedHosts {
  private final boolean onLoopback;
  private final List<String> hosts;
  private final String setting;

  /// @param listen address of the port
  /// @param hosts names of the service, in lower case
  /// @param setting name of the setting of `hosts`
  AllowedHosts(String listen, List<String> hosts, String setting) {
    this.onLoopback = isLoopback(listen);
    this.hosts = hosts;
    this.setting = setting;
  }

  public String refusal(String host) {
    return format(
        "Host must be a name or address of this service, got \"%s\"; setting %s adds names",
        host, setting);
  }

  /// @param host the host, without the port; an IPv6 address may be in brackets, a name may end
  ///   with a dot
  public boolean accepts(String host) {
    if (!onLoopback && hosts.isEmpty()) {
      return true;
    }
    String lower = host.toLowerCase(Locale.ROOT);
    String name = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    return hosts.contains(name)
        || name.equals("localhost")
        || name.endsWith(".localhost") // resolves to loopback only (RFC 6761)
        || isAccepted(name);
  }

  private boolean isAccepted(String address) {
    try {
      return InetAddress.ofLiteral(withoutBrackets(address)).isLoopbackAddress() || !onLoopback;
    } catch (IllegalArgumentException notAnAddress) {
      return false;
    }
  }

  private static String withoutBrackets(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  private static boolean isLoopback(String listen) {
    try {
      return InetAddress.getByName(listen).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new StartupException("listen address \"" + listen + "\" is unknown");
    }
  }
}
