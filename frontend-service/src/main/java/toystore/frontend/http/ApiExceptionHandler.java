package toystore.frontend.http;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;
import static toystore.common.RootLocale.format;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeanInstantiationException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.HttpHeaders;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.View;
import org.springframework.web.servlet.ViewResolver;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import org.springframework.web.util.DisconnectedClientHelper;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.JsonBodyReader;

/// Turns exceptions into errors: JSON, or a page if the client prefers HTML. An unexpected
/// exception is a bug: it is logged, and the client receives only "internal error". A filter, whose
/// exceptions Spring's dispatcher servlet does not see, calls [#respond]. Any thread.
@ControllerAdvice
public final class ApiExceptionHandler {
  private static final Logger log = LoggerFactory.getLogger(ApiExceptionHandler.class);

  private final JsonBodyReader bodies;
  private final ViewResolver pages;

  ApiExceptionHandler(JsonBodyReader bodies, @Qualifier("pages") ViewResolver pages) {
    this.bodies = bodies;
    this.pages = pages;
  }

  /// Returns the page of the error, or writes it. A client that hung up gets no answer.
  @ExceptionHandler
  public @Nullable ModelAndView handle(
      Exception failure, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    ApiException error = error(failure, response);
    if (error == null) {
      return null;
    }
    if (ErrorFormat.isPage(request)) {
      ErrorFormat.writeHeaders(error, response);
      return ErrorFormat.page(error);
    }
    ErrorFormat.write(error, request, response);
    return null;
  }

  /// Returns the error of an exception; null: the client hung up.
  public @Nullable ApiException error(Exception failure, HttpServletResponse response) {
    return switch (failure) {
      case ApiException it -> it;
      case BeanInstantiationException it when it.getCause() instanceof ApiException refusal ->
          refusal;
      case MethodArgumentNotValidException it -> bodies.invalidField(it);
      case NoHandlerFoundException _, NoResourceFoundException _ ->
          ApiException.of(404, "no such path");
      case MethodArgumentTypeMismatchException it ->
          ApiException.badRequest(
              format(
                  "%s must be of type %s, got %s",
                  it.getName(),
                  requireNonNull(it.getRequiredType()).getSimpleName(),
                  ApiException.shorten(String.valueOf(it.getValue()))));
      case HttpRequestMethodNotSupportedException it -> methodNotAllowed(it, response);
      case InvalidParameterException _ -> ApiException.badRequest("query string is malformed");
      case Exception it when DisconnectedClientHelper.isClientDisconnectedException(it) -> {
        log.debug("the client closed the connection before its answer: {}", it.toString());
        yield null;
      }
      case ErrorResponse it when it.getStatusCode().is4xxClientError() ->
          ApiException.of(it.getStatusCode().value(), "bad request");
      default -> {
        log.error("unexpected exception while handling a request", failure);
        yield ApiException.of(500, "internal error");
      }
    };
  }

  private static ApiException methodNotAllowed(
      HttpRequestMethodNotSupportedException error, HttpServletResponse response) {
    String[] allowed = requireNonNullElse(error.getSupportedMethods(), new String[0]);
    response.setHeader(HttpHeaders.ALLOW, String.join(",", new TreeSet<>(List.of(allowed))));
    return ApiException.of(405, "method " + error.getMethod() + " is not allowed for this path");
  }

  public void respond(ApiException error, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    ModelAndView page = handle(error, request, response);
    if (page != null) {
      respond(page, request, response);
    }
  }

  public void respond(ModelAndView page, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    try {
      response.setStatus(requireNonNull(page.getStatus()).value());
      String template = requireNonNull(page.getViewName());
      View view = requireNonNull(pages.resolveViewName(template, Locale.ENGLISH));
      view.render(page.getModel(), request, response);
    } catch (IOException | ServletException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new ServletException(e);
    }
  }
}
