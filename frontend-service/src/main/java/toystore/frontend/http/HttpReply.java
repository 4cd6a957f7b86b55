package toystore.frontend.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// What a controller's method returns: a whole answer that writes itself.
public interface HttpReply {
  void writeTo(HttpServletResponse response) throws IOException;
}
