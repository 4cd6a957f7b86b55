package toystore.frontend.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import toystore.platform.service.AdministratorToken;

/// What a controller's method may take. Arguments are made in their order, so a method that takes
/// the [Administrator] first tells others nothing of what it thinks of their body.
@Component
final class ApiArgumentResolver implements HandlerMethodArgumentResolver {
  private final AdministratorToken token;

  ApiArgumentResolver(AdministratorToken token) {
    this.token = token;
  }

  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return Set.of(Administrator.class, IdempotencyKey.class, JsonBody.class, FormBody.class)
        .contains(parameter.getParameterType());
  }

  @Override
  public Object resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer container,
      NativeWebRequest web,
      @Nullable WebDataBinderFactory binderFactory) {
    var request = (HttpServletRequest) web.getNativeRequest();
    Class<?> type = parameter.getParameterType();
    if (type == Administrator.class) {
      return administrator(request.getHeader(HttpHeaders.AUTHORIZATION));
    }
    if (type == IdempotencyKey.class) {
      return request.getAttribute(IdempotencyKey.HEADER) instanceof IdempotencyKey key
          ? key
          : IdempotencyKey.of(request);
    }
    byte[] body = BodyFilter.body(request);
    return type == FormBody.class ? FormBody.parse(body) : JsonBody.parse(body);
  }

  /// What was shown and found to be the administrator's is the token that services know.
  private Administrator administrator(@Nullable String authorization) {
    return switch (token.check(authorization)) {
      case ADMINISTRATOR -> new Administrator(token.onCalls());
      case NONE -> throw ApiError.of(401, "the administrator's bearer token is required");
      case OTHER -> throw ApiError.of(403, "the bearer token is not the administrator's");
    };
  }
}
