package toystore.frontend.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodReturnValueHandler;
import org.springframework.web.method.support.ModelAndViewContainer;

/// Writes the [HttpReply] that a controller returns. The `Accept` header is ignored.
final class HttpResponseWriter implements HandlerMethodReturnValueHandler {
  @Override
  public boolean supportsReturnType(MethodParameter type) {
    return HttpReply.class.isAssignableFrom(type.getParameterType());
  }

  @Override
  public void handleReturnValue(
      @Nullable Object value,
      MethodParameter type,
      ModelAndViewContainer container,
      NativeWebRequest web)
      throws IOException {
    container.setRequestHandled(true);
    if (value instanceof HttpReply reply
        && web.getNativeResponse() instanceof HttpServletResponse response) {
      reply.writeTo(response);
    }
  }
}
