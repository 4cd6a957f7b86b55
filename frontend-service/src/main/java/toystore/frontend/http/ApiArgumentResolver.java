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
/// [Administrator] or a [UserSession] as its first parameter therefore rejects other clients before
/// it parses the body.
@Component
final class ApiArgumentResolver implements HandlerMethodArgumentResolver {
  private static final Set<Class<?>> TYPES =
      Set.of(
          Administrator.class,
          UserSession.class,
          BuyerSession.class,
          SellerSession.class,
          BearerToken.class,
          IdempotencyKey.class);

  private final AdministratorToken token;
  private final SessionClient sessions;

  ApiArgumentResolver(AdministratorToken token, SessionClient sessions) {
    this.token = token;
    this.sessions = sessions;
  }

  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return TYPES.contains(parameter.getParameterType());
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
    if (UserSession.class.isAssignableFrom(type)) {
      return session(type, BearerToken.of(request));
    }
    if (type == BearerToken.class) {
      return BearerToken.of(request);
    }
    return request.getAttribute(IdempotencyKey.HEADER) instanceof IdempotencyKey key
        ? key
        : IdempotencyKey.of(request);
  }

  private UserSession session(Class<?> type, BearerToken bearer) {
    UserSession session = sessions.authenticate(bearer);
    if (!type.isInstance(session)) {
      throw ApiException.of(
          ApiErrorReason.OTHER_ROLE,
          type == BuyerSession.class
              ? "a buyer's session is required, this is a seller's"
              : "a seller's session is required, this is a buyer's");
    }
    return session;
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
