package toystore.cli.load;

import java.util.regex.Pattern;
import toystore.cli.command.CommandRefusal;

/// A host and a TCP port.
///
/// @param host a name or an address; an IPv6 address has no brackets here, but in a URL
record HostAndPort(String host, int port) {
  private static final Pattern URL =
      Pattern.compile("[a-z]+://(?:\\[([0-9A-Fa-f:.%\\w]+)]|([^/?#@:\\[\\]]+)):(\\d{1,5})/?");
  private static final int MAX_PORT = 65_535;

  /// @param scheme what the URL must begin with, such as `grpc`
  static HostAndPort of(String scheme, String url) {
    var parts = URL.matcher(url);
    if (!url.startsWith(scheme + ":")
        || !parts.matches()
        || Integer.parseInt(parts.group(3)) > MAX_PORT) {
      throw CommandRefusal.usage("--url must have the form %s://HOST:PORT; got %s", scheme, url);
    }
    var host = parts.group(1) == null ? parts.group(2) : parts.group(1);
    return new HostAndPort(host, Integer.parseInt(parts.group(3)));
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
