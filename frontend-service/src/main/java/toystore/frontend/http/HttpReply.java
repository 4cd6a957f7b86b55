package toystore.frontend.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// The return value of a controller method: a complete response that writes itself.
public interface HttpReply {
  void writeTo(HttpServletResponse response) throws IOException;
}
