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

/// Resolves the parameters of controller methods. They are resolved in order. A method with
/// [Administrator] as its first parameter therefore rejects other clients before it parses the
/// body.
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

  /// A valid token equals the token of this service, which the backend services accept.
  private Administrator administrator(@Nullable String authorization) {
    return switch (token.check(authorization)) {
      case ADMINISTRATOR -> new Administrator(token.clientInterceptor());
      case NONE -> throw ApiException.of(401, "the administrator's bearer token is required");
      case OTHER -> throw ApiException.of(403, "the bearer token is not the administrator's token");
    };
  }
}
