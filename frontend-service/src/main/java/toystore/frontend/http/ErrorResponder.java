package toystore.frontend.http;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.View;
import org.springframework.web.servlet.ViewResolver;

/// Answers with an error in a filter, which Spring's dispatcher servlet does not see. Any thread.
@Component
public final class ErrorResponder {
  private final ApiExceptionHandler errors;
  private final ViewResolver pages;

  ErrorResponder(ApiExceptionHandler errors, @Qualifier("pages") ViewResolver pages) {
    this.errors = errors;
    this.pages = pages;
  }

  public void respond(ApiException error, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    ModelAndView page = errors.apiError(error, request, response);
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
