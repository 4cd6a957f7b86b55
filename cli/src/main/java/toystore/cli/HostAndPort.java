package toystore.cli;

import java.util.regex.Pattern;

/// A host and a TCP port.
record HostAndPort(String host, int port) {
  private static final Pattern URL = Pattern.compile("[a-z]+://([^/?#@:]+):(\\d{1,5})/?");
  private static final int MAX_PORT = 65_535;

  /// @param scheme what the URL must begin with, such as `grpc`
  static HostAndPort of(String scheme, String url) {
    var parts = URL.matcher(url);
    if (!url.startsWith(scheme + ":")
        || !parts.matches()
        || Integer.parseInt(parts.group(2)) > MAX_PORT) {
      throw CommandRefused.usage(
          "--url must have the form %s://HOST:PORT; got %s".formatted(scheme, url));
    }
    return new HostAndPort(parts.group(1), Integer.parseInt(parts.group(2)));
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
