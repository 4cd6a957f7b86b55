package toystore.clients.load;

import static toystore.common.RootLocale.format;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import toystore.clients.RawClient;

/// A keep-alive connection of HTTP/1.1 that carries one request at a time (RFC 9112). It does as
/// little as possible, because it runs on the cores of the store that it measures. One thread.
final class HttpConnection implements LoadConnection {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] \\d{3}.*");
  private static final int MAX_LINE = 16_384;
  private static final int MAX_BODY = 16 << 20;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private boolean ended;

  HttpConnection(URI url) throws IOException {
    boolean isTls = url.getScheme().equals("https");
    int defaultPort = isTls ? 443 : 80;
    int port = url.getPort() < 0 ? defaultPort : url.getPort();
    Socket tcp = new RawClient(url.getHost(), port, TIMEOUT).socket();
    socket = isTls ? tls(tcp, url.getHost(), port) : tcp;
    in = new BufferedInputStream(socket.getInputStream(), MAX_LINE);
    out = socket.getOutputStream();
  }

  private static SSLSocket tls(Socket tcp, String host, int port) throws IOException {
    var factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    var socket = (SSLSocket) factory.createSocket(tcp, host, port, true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the certificate must be of this host
    socket.setSSLParameters(parameters);
    return socket;
  }

  @Override
  public void write(CallSource.Call call) throws IOException {
    out.write(call.bytes());
  }

  @Override
  public Response read() throws IOException {
    String status = line();
    if (!STATUS_LINE.matcher(status).matches()) {
      throw new IOException("expected a status line, got \"" + status + "\"");
    }
    int length = 0;
    boolean chunked = false;
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      String name = line.substring(0, Math.max(colon, 0)).toLowerCase(Locale.ROOT);
      String value = line.substring(colon + 1).strip();
      switch (name) {
        case "content-length" -> length = Integer.parseInt(value);
        case "transfer-encoding" -> chunked = value.equalsIgnoreCase("chunked");
        case "connection" -> ended = value.equalsIgnoreCase("close");
        default -> {} // not needed
      }
    }
    byte[] body = chunked ? chunks() : bytes(length);
    return new Response(Integer.parseInt(status.substring(9, 12)), body);
  }

  @Override
  public boolean isEnded() {
    return ended;
  }

  private byte[] chunks() throws IOException {
    var body = new ByteArrayOutputStream();
    while (true) {
      int size = Integer.parseInt(line().split(";", 2)[0].strip(), 16);
      body.writeBytes(bytes(size));
      line(); // ends the chunk, or the trailers
      if (size == 0) {
        return body.toByteArray();
      }
    }
  }

  private byte[] bytes(int length) throws IOException {
    if (length < 0 || length > MAX_BODY) {
      throw new IOException(
          format("expected a body of at most %d bytes, got %d", MAX_BODY, length));
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException(format("connection ended after %d of %d bytes", bytes.length, length));
    }
    return bytes;
  }

  private String line() throws IOException {
    var line = new StringBuilder(128); // of ISO 8859-1
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("connection ended before a response");
      }
      if (line.length() == MAX_LINE) {
        throw new IOException(format("expected lines of at most %d bytes", MAX_LINE));
      }
      line.append((char) next);
    }
    boolean carriageReturn = !line.isEmpty() && line.charAt(line.length() - 1) == '\r';
    return line.substring(0, line.length() - (carriageReturn ? 1 : 0));
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException gone) {
      // nothing is lost: no response is awaited
    }
  }
}
