package toystore.cli.command;

import java.net.URI;

/// The value of an option `--url`: a scheme and a host, without a path.
public final class UrlOption {
  private static final int HIGHEST_PORT = 65_535;

  private UrlOption() {}

  /// @param scheme that it must have; http also allows https, and no port
  /// @throws CommandRefusal if it is no such URL
  public static URI parse(String scheme, String text) {
    try {
      var url = URI.create(text);
      var given = String.valueOf(url.getScheme());
      boolean isHttp = scheme.equals("http") && given.matches("https?");
      if ((isHttp || given.equals(scheme) && url.getPort() >= 0)
          && url.getHost() != null
          && url.getPort() <= HIGHEST_PORT
          && text.matches(given + "://[^/?#@]+/?")) {
        return url;
      }
    } catch (IllegalArgumentException noUrl) {
      // told below
    }
    throw CommandRefusal.usage("--url must have the form %s://HOST:PORT; got %s", scheme, text);
  }
}
