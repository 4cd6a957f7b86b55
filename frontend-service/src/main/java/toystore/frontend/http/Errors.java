package toystore.frontend.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.catalina.connector.ClientAbortException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.util.StringUtils;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.NoHandlerFoundException;

/// Answers what went wrong on the way to a controller or in it. What nobody foresaw is a bug: it is
/// logged, and the client is told no more than that there was one.
final class Errors implements HandlerExceptionResolver {
  private static final Logger log = LoggerFactory.getLogger(Errors.class);

  @Override
  public ModelAndView resolveException(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception failure) {
    if (!(failure instanceof ClientAbortException)) {
      try {
        answer(failure).writeTo(response);
      } catch (IOException gone) {
        log.debug("the client went away before its answer", gone);
      }
    }
    return new ModelAndView();
  }

  private static Answer answer(Exception failure) {
    return switch (failure) {
      case ApiError error -> error.answer();
      case NoHandlerFoundException _ -> Answer.error(404, "no such path");
      case HttpRequestMethodNotSupportedException error -> methodNotAllowed(error);
      case InvalidParameterException _ -> Answer.error(400, "the query cannot be read");
      case ErrorResponse error when error.getStatusCode().is4xxClientError() ->
          Answer.error(error.getStatusCode().value(), "bad request");
      default -> {
        log.error("a request failed", failure);
        yield Answer.error(500, "internal error");
      }
    };
  }

  private static Answer methodNotAllowed(HttpRequestMethodNotSupportedException error) {
    var allowed = error.getSupportedHttpMethods();
    String names =
        allowed == null
            ? ""
            : StringUtils.collectionToCommaDelimitedString(
                allowed.stream().map(HttpMethod::name).sorted().toList());
    return Answer.error(405, error.getMethod() + " is not for this path")
        .with(HttpHeaders.ALLOW, names);
  }
}
