package toystore.frontend.http.key;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/// Resolves the [IdempotencyKey] of a POST request to a parameter of a controller method without an
/// annotation; that of a form is a `@RequestParam`.
public final class KeyArgumentResolver implements HandlerMethodArgumentResolver {
  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parameter.getParameterType() == IdempotencyKey.class
        && !parameter.hasParameterAnnotations();
  }

  @Override
  public Object resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer container,
      NativeWebRequest web,
      @Nullable WebDataBinderFactory binderFactory) {
    var request = (HttpServletRequest) web.getNativeRequest();
    return request.getAttribute(IdempotencyKey.HEADER) instanceof IdempotencyKey key
        ? key
        : IdempotencyKey.of(request);
  }
}
