package toystore.frontend.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.util.StringUtils;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import org.springframework.web.util.DisconnectedClientHelper;

/// Turns exceptions into errors: JSON, or a page if the client prefers HTML. An unexpected
/// exception is a bug: it is logged, and the client receives only "internal error".
@ControllerAdvice
public final class ApiExceptionHandler {
  private static final Logger log = LoggerFactory.getLogger(ApiExceptionHandler.class);

  private final InvalidRequest invalid;

  ApiExceptionHandler(InvalidRequest invalid) {
    this.invalid = invalid;
  }

  @ExceptionHandler
  public @Nullable ModelAndView apiError(
      ApiException error, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (ErrorFormat.isPage(request)) {
      ErrorFormat.writeHeaders(error, response);
      return ErrorFormat.page(error);
    }
    ErrorFormat.write(error, request, response);
    return null;
  }

  /// Writes the headers of an error that is shown on a page.
  public void writeHeaders(ApiException error, HttpServletResponse response) {
    ErrorFormat.writeHeaders(error, response);
  }

  @ExceptionHandler
  @Nullable ModelAndView invalidForm(
      MethodArgumentNotValidException failure,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    return apiError(invalid.invalidField(failure), request, response);
  }

  @ExceptionHandler({NoHandlerFoundException.class, NoResourceFoundException.class})
  @Nullable ModelAndView notFound(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    return apiError(ApiException.of(404, "no such path"), request, response);
  }

  @ExceptionHandler
  @Nullable ModelAndView methodNotAllowed(
      HttpRequestMethodNotSupportedException error,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    var allowed = error.getSupportedHttpMethods();
    String names =
        allowed == null
            ? ""
            : StringUtils.collectionToCommaDelimitedString(
                allowed.stream().map(HttpMethod::name).sorted().toList());
    response.setHeader(HttpHeaders.ALLOW, names);
    String message = "method " + error.getMethod() + " is not allowed for this path";
    return apiError(ApiException.of(405, message), request, response);
  }

  @ExceptionHandler
  @Nullable ModelAndView malformedQuery(
      InvalidParameterException malformed, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    return apiError(ApiException.badRequest("query string is malformed"), request, response);
  }

  /// A client that hung up gets no answer, and null writes none.
  @ExceptionHandler
  @Nullable ModelAndView unexpected(
      Exception failure, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (DisconnectedClientHelper.isClientDisconnectedException(failure)) {
      log.debug("the client closed the connection before its answer: {}", failure.toString());
      return null;
    }
    if (failure instanceof ErrorResponse error && error.getStatusCode().is4xxClientError()) {
      return apiError(
          ApiException.of(error.getStatusCode().value(), "bad request"), request, response);
    }
    log.error("unexpected exception while handling a request", failure);
    return apiError(ApiException.of(500, "internal error"), request, response);
  }
}
