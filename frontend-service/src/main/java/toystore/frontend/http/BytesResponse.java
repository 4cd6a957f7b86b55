package toystore.frontend.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;

/// An answer of bytes that are there already: a page, a file, an [JsonResponse]'s JSON. Written
/// with its length, so that a client knows its end in any HTTP version.
@SuppressWarnings("ArrayRecordComponent") // nobody compares contents
public record BytesResponse(int status, String type, byte[] bytes, Map<String, String> headers)
    implements HttpReply {
  @Override
  public void writeTo(HttpServletResponse response) throws IOException {
    response.setStatus(status);
    response.setContentType(type);
    response.setContentLength(bytes.length);
    headers.forEach(response::setHeader);
    ServerTiming.addHeaders(response);
    response.getOutputStream().write(bytes);
  }
}
