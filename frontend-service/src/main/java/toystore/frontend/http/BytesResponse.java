package toystore.frontend.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;

/// A response with a complete body: a page, a file, or the JSON of a [JsonResponse]. It has a
/// Content-Length, so that clients of any HTTP version know its end.
@SuppressWarnings("ArrayRecordComponent") // never compared
public record BytesResponse(int status, String type, byte[] bytes, Map<String, String> headers)
    implements HttpReply {
  @Override
  public void writeTo(HttpServletResponse response) throws IOException {
    response.setStatus(status);
    response.setContentType(type);
    response.setContentLength(bytes.length);
    headers.forEach(response::setHeader);
    ServerTimingFilter.addHeaders(response);
    response.getOutputStream().write(bytes);
  }
}
