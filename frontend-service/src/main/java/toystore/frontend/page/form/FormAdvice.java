package toystore.frontend.page.form;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanInstantiationException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.ui.ExtendedModelMap;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.ModelAndView;
import toystore.frontend.http.ApiExceptionHandler;
import toystore.frontend.http.ErrorFormat;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.security.UserSession;

/// What all [FormPage]s share. Adds to each page who is logged in and an idempotency key for its
/// forms. Shows a page again if its form was refused; if the outcome is open (5xx), the form keeps
/// its key, so that it can be sent again.
@ControllerAdvice(assignableTypes = FormPage.class)
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class FormAdvice {
  public static final String MESSAGE = "message";
  private static final String KEY = "key";
  public static final String USER = "user";

  private final ApiExceptionHandler errors;

  FormAdvice(ApiExceptionHandler errors) {
    this.errors = errors;
  }

  @ModelAttribute(USER)
  @Nullable UserSession user(@AuthenticationPrincipal @Nullable UserSession user) {
    return user;
  }

  @ModelAttribute(KEY)
  String key() {
    return IdempotencyKey.generate().value();
  }

  @ModelAttribute
  void returnKey(
      @RequestParam(name = KEY, defaultValue = "") String sent, HttpServletResponse response) {
    if (!sent.isEmpty()) {
      response.setHeader(IdempotencyKey.HEADER, IdempotencyKey.fromClient(sent).value());
    }
  }

  @ExceptionHandler({
    ApiException.class,
    BeanInstantiationException.class,
    MethodArgumentNotValidException.class
  })
  @SuppressWarnings("NullAway") // the pages of the login need no user
  @Nullable ModelAndView refused(
      Exception failure,
      HandlerMethod form,
      @AuthenticationPrincipal @Nullable UserSession user,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    if (!HttpMethod.POST.matches(request.getMethod())) {
      return errors.handle(failure, request, response);
    }
    ApiException error = requireNonNull(errors.error(failure, response));
    boolean isKeyed =
        Arrays.asList(form.getMethod().getParameterTypes()).contains(IdempotencyKey.class);
    var model = new ExtendedModelMap();
    model.addAttribute(USER, user);
    model.addAttribute(KEY, isKeyed && error.status() >= 500 ? request.getParameter(KEY) : key());
    model.addAttribute(MESSAGE, PageMessage.of(error, isKeyed));
    request.setAttribute(FormPage.REFUSAL, error);
    try {
      String template = ((FormPage) form.getBean()).page(user, request, model);
      ErrorFormat.writeHeaders(error, response);
      return new ModelAndView(template, model, HttpStatusCode.valueOf(error.status()));
    } catch (ApiException e) {
      return errors.handle(e, request, response);
    }
  }
}
