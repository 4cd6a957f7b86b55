package toystore.frontend.http;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.HandlerMethodReturnValueHandler;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import toystore.frontend.http.json.Json;
import toystore.frontend.http.json.JsonBodyReader;

/// Reads and checks each `@Valid @RequestBody`, and writes the record that a controller returns:
/// all are JSON, whatever the headers of the request say. Store paths have the envelope `{"data":
/// …}`. It comes before Spring's message converters, which negotiate the type of each message
/// (`docs/decisions/0009-json-without-negotiation.md`).
@Component
final class JsonBodyHandler
    implements HandlerMethodArgumentResolver,
        HandlerMethodReturnValueHandler,
        SmartInitializingSingleton {
  private final JsonBodyReader reader;
  private final RequestMappingHandlerAdapter adapter;

  JsonBodyHandler(
      JsonBodyReader reader,
      @Qualifier("requestMappingHandlerAdapter") RequestMappingHandlerAdapter adapter) {
    this.reader = reader;
    this.adapter = adapter;
  }

  private record Data(Object data) {}

  @Override
  public void afterSingletonsInstantiated() {
    adapter.setArgumentResolvers(first(this, adapter.getArgumentResolvers()));
    adapter.setReturnValueHandlers(first(this, adapter.getReturnValueHandlers()));
  }

  private static <T> List<T> first(T first, @Nullable List<T> others) {
    var all = new ArrayList<T>(List.of(first));
    all.addAll(requireNonNull(others));
    return all;
  }

  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parameter.hasParameterAnnotation(RequestBody.class);
  }

  @Override
  public Object resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer container,
      NativeWebRequest web,
      @Nullable WebDataBinderFactory binderFactory) {
    byte[] body = BodyFilter.body((HttpServletRequest) web.getNativeRequest());
    return reader.read(body, parameter.getParameterType());
  }

  @Override
  public boolean supportsReturnType(MethodParameter type) {
    Class<?> value = type.getParameterType();
    return !HttpEntity.class.isAssignableFrom(value)
        && !ResponseBodyEmitter.class.isAssignableFrom(value)
        && (type.getContainingClass().isAnnotationPresent(RestController.class)
            || type.hasMethodAnnotation(ResponseBody.class));
  }

  @Override
  public void handleReturnValue(
      @Nullable Object value,
      MethodParameter type,
      ModelAndViewContainer container,
      NativeWebRequest web)
      throws IOException {
    container.setRequestHandled(true);
    var request = (HttpServletRequest) web.getNativeRequest();
    var response = (HttpServletResponse) web.getNativeResponse();
    if (value == null || response == null) {
      return;
    }
    response.setContentType(MediaType.APPLICATION_JSON_VALUE);
    write(ErrorFormat.isPlain(request) ? value : new Data(value), response);
  }

  /// Writes a complete body. It has a Content-Length, so that clients of any HTTP version know its
  /// end.
  static void write(@Nullable Object view, HttpServletResponse response) throws IOException {
    byte[] json = Json.MAPPER.writeValueAsBytes(view);
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    response.setContentLength(json.length);
    response.getOutputStream().write(json);
  }
}
