package toystore.frontend.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.util.StringUtils;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import org.springframework.web.util.DisconnectedClientHelper;

/// Turns exceptions into error responses: JSON, or a page if the client prefers HTML. An unexpected
/// exception is a bug: it is logged, and the client receives only "internal error".
@ControllerAdvice
final class ApiExceptionHandler {
  private static final Logger log = LoggerFactory.getLogger(ApiExceptionHandler.class);

  private final ErrorPage errorPage;

  ApiExceptionHandler(ErrorPage errorPage) {
    this.errorPage = errorPage;
  }

  @ExceptionHandler
  HttpReply apiError(ApiException refusal, HttpServletRequest request) {
    return reply(refusal, Map.of(), request);
  }

  @ExceptionHandler({NoHandlerFoundException.class, NoResourceFoundException.class})
  HttpReply notFound(HttpServletRequest request) {
    return reply(404, "no such path", request);
  }

  @ExceptionHandler
  HttpReply methodNotAllowed(
      HttpRequestMethodNotSupportedException error, HttpServletRequest request) {
    var allowed = error.getSupportedHttpMethods();
    String names =
        allowed == null
            ? ""
            : StringUtils.collectionToCommaDelimitedString(
                allowed.stream().map(HttpMethod::name).sorted().toList());
    return reply(
        ApiException.of(405, "method " + error.getMethod() + " is not allowed for this path"),
        Map.of(HttpHeaders.ALLOW, names),
        request);
  }

  @ExceptionHandler
  HttpReply malformedQuery(InvalidParameterException malformed, HttpServletRequest request) {
    return reply(400, "query string is malformed", request);
  }

  /// A client that hung up gets no answer, and null writes none.
  @ExceptionHandler
  @Nullable HttpReply unexpected(Exception failure, HttpServletRequest request) {
    if (DisconnectedClientHelper.isClientDisconnectedException(failure)) {
      log.debug("the client closed the connection before its answer: {}", failure.toString());
      return null;
    }
    if (failure instanceof ErrorResponse error && error.getStatusCode().is4xxClientError()) {
      return reply(error.getStatusCode().value(), "bad request", request);
    }
    log.error("unexpected exception while handling a request", failure);
    return reply(500, "internal error", request);
  }

  private HttpReply reply(int status, String message, HttpServletRequest request) {
    return reply(ApiException.of(status, message), Map.of(), request);
  }

  /// @param headers additional headers
  private HttpReply reply(
      ApiException error, Map<String, String> headers, HttpServletRequest request) {
    JsonResponse json = error.toResponse(request);
    HttpReply body = ErrorFormat.isPage(request) ? errorPage.render(request, error) : json;
    return response -> {
      json.headers().forEach(response::setHeader);
      headers.forEach(response::setHeader);
      body.writeTo(response);
    };
  }
}
