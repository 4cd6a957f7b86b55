package toystore.frontend.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.http.server.ServletServerHttpResponse;
import org.springframework.util.StringUtils;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import org.springframework.web.util.DisconnectedClientHelper;

/// Completes all answers with JSON: puts those of the store into the envelope, says whether they
/// were stored, and turns exceptions into errors: JSON, or a page if the client prefers HTML. An
/// unexpected exception is a bug: it is logged, and the client receives only "internal error".
@RestControllerAdvice
final class ApiExceptionHandler implements ResponseBodyAdvice<Object> {
  private static final Logger log = LoggerFactory.getLogger(ApiExceptionHandler.class);

  private final InvalidRequest invalid;

  ApiExceptionHandler(InvalidRequest invalid) {
    this.invalid = invalid;
  }

  private record Data(@Nullable Object data) {}

  /// The management port has answers of its own.
  @Override
  public boolean supports(
      MethodParameter returnType, Class<? extends HttpMessageConverter<?>> converter) {
    return converter == JsonConverter.class
        && returnType.getContainingClass().getName().startsWith("toystore.");
  }

  @Override
  public @Nullable Object beforeBodyWrite(
      @Nullable Object body,
      MethodParameter returnType,
      MediaType contentType,
      Class<? extends HttpMessageConverter<?>> converter,
      ServerHttpRequest request,
      ServerHttpResponse response) {
    response.getHeaders().setCacheControl("no-store");
    ServerTimingFilter.addHeaders(((ServletServerHttpResponse) response).getServletResponse());
    Object view = body;
    if (body instanceof Answer<?> answer) {
      view = answer.view();
      if (answer.replayed()) {
        response.getHeaders().set(ErrorFormat.REPLAYED, "true");
      }
    }
    return returnType.getContainingClass() == ApiExceptionHandler.class
            || ErrorFormat.isPlain(((ServletServerHttpRequest) request).getServletRequest())
        ? view
        : new Data(view);
  }

  @ExceptionHandler
  Object apiError(ApiException error, HttpServletRequest request, HttpServletResponse response) {
    var json = ErrorFormat.response(error, request);
    if (ErrorFormat.isPage(request)) {
      ErrorFormat.writeHeaders(json, response);
      return ErrorFormat.page(error);
    }
    return json;
  }

  @ExceptionHandler
  Object unreadableBody(
      HttpMessageNotReadableException failure,
      HttpServletRequest request,
      HttpServletResponse response) {
    return apiError(
        invalid.unreadable(failure.getCause(), BodyFilter.body(request)), request, response);
  }

  @ExceptionHandler
  Object invalidBody(
      MethodArgumentNotValidException failure,
      HttpServletRequest request,
      HttpServletResponse response) {
    var error =
        invalid.invalidField(failure.getBindingResult(), failure.getParameter().getParameterType());
    return apiError(error, request, response);
  }

  @ExceptionHandler({NoHandlerFoundException.class, NoResourceFoundException.class})
  Object notFound(HttpServletRequest request, HttpServletResponse response) {
    return apiError(ApiException.of(404, "no such path"), request, response);
  }

  @ExceptionHandler
  Object methodNotAllowed(
      HttpRequestMethodNotSupportedException error,
      HttpServletRequest request,
      HttpServletResponse response) {
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
  Object malformedQuery(
      InvalidParameterException malformed,
      HttpServletRequest request,
      HttpServletResponse response) {
    return apiError(ApiException.badRequest("query string is malformed"), request, response);
  }

  /// A client that hung up gets no answer, and null writes none.
  @ExceptionHandler
  @Nullable Object unexpected(
      Exception failure, HttpServletRequest request, HttpServletResponse response) {
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
