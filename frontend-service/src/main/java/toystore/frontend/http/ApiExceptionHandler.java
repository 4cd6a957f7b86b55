package toystore.frontend.http;

import jakarta.servlet.http.HttpServletRequest;
import org.apache.tomcat.util.http.InvalidParameterException;
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

/// Turns exceptions into error responses. An unexpected exception is a bug: it is logged, and the
/// client receives only "internal error".
@ControllerAdvice
final class ApiExceptionHandler {
  private static final Logger log = LoggerFactory.getLogger(ApiExceptionHandler.class);

  @ExceptionHandler
  JsonResponse apiError(ApiError refusal, HttpServletRequest request) {
    return refusal.toResponse(request);
  }

  @ExceptionHandler({NoHandlerFoundException.class, NoResourceFoundException.class})
  JsonResponse notFound(HttpServletRequest request) {
    return JsonResponse.error(request, 404, "no such path");
  }

  @ExceptionHandler
  JsonResponse methodNotAllowed(
      HttpRequestMethodNotSupportedException error, HttpServletRequest request) {
    var allowed = error.getSupportedHttpMethods();
    String names =
        allowed == null
            ? ""
            : StringUtils.collectionToCommaDelimitedString(
                allowed.stream().map(HttpMethod::name).sorted().toList());
    return JsonResponse.error(
            request, 405, "method " + error.getMethod() + " is not allowed for this path")
        .withHeader(HttpHeaders.ALLOW, names);
  }

  @ExceptionHandler
  JsonResponse malformedQuery(InvalidParameterException malformed, HttpServletRequest request) {
    return JsonResponse.error(request, 400, "query string is malformed");
  }

  @ExceptionHandler
  JsonResponse unexpected(Exception failure, HttpServletRequest request) {
    if (failure instanceof ErrorResponse error && error.getStatusCode().is4xxClientError()) {
      return JsonResponse.error(request, error.getStatusCode().value(), "bad request");
    }
    log.error("unexpected exception while handling a request", failure);
    return JsonResponse.error(request, 500, "internal error");
  }
}
