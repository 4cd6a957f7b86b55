package toystore.frontend.page;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.resource.ResourceUrlProvider;
import org.thymeleaf.context.Context;
import org.thymeleaf.context.IExpressionContext;
import org.thymeleaf.linkbuilder.StandardLinkBuilder;
import org.thymeleaf.spring6.SpringTemplateEngine;
import org.thymeleaf.templateresolver.ClassLoaderTemplateResolver;
import toystore.frontend.http.BytesResponse;
import toystore.frontend.http.IdempotencyKey;

/// Renders pages from Thymeleaf templates. The engine is created at the first page request, to keep
/// startup fast. Any thread.
@Component
public final class TemplateRenderer {
  public static final String HTML = "text/html;charset=UTF-8";

  /// Allows only files of the same origin, no inline script or style, and no framing.
  private static final Map<String, String> HEADERS =
      headers(
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
              + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'");

  private static final String CONTEXT_PATH = "contextPath";

  private final SingletonSupplier<SpringTemplateEngine> engine =
      SingletonSupplier.of(TemplateRenderer::newEngine);
  private final ResourceUrlProvider assets;
  private final LabReport lab;

  TemplateRenderer(@Qualifier("mvcResourceUrlProvider") ResourceUrlProvider assets, LabReport lab) {
    this.assets = assets;
    this.lab = lab;
  }

  public BytesResponse render(
      int status, String template, Map<String, ? extends @Nullable Object> model) {
    return render(status, template, model, Optional.empty());
  }

  /// @param key the idempotency key of the request; empty if it had none
  BytesResponse render(
      int status,
      String template,
      Map<String, ? extends @Nullable Object> model,
      Optional<IdempotencyKey> key) {
    return render(contextPath(), status, template, model, key);
  }

  /// @param contextPath of the request, for an error outside the dispatcher servlet
  BytesResponse render(
      String contextPath,
      int status,
      String template,
      Map<String, ? extends @Nullable Object> model,
      Optional<IdempotencyKey> key) {
    var context = new Context(Locale.ENGLISH, new HashMap<>(model));
    context.setVariable(CONTEXT_PATH, contextPath);
    context.setVariable("assets", assets);
    context.setVariable("lab", lab.exists());
    var headers = new HashMap<>(HEADERS);
    key.ifPresent(it -> headers.put(IdempotencyKey.HEADER, it.value()));
    if (status == 503) {
      headers.put("Retry-After", "1");
    }
    byte[] html = engine.obtain().process(template, context).getBytes(StandardCharsets.UTF_8);
    return new BytesResponse(status, HTML, html, headers);
  }

  /// Returns a redirect to a path of the shop, after a form.
  public static BytesResponse redirect(String path, Map<String, String> more) {
    var headers = new HashMap<>(more);
    headers.put(HttpHeaders.LOCATION, contextPath() + path);
    headers.put(HttpHeaders.CACHE_CONTROL, "no-store");
    return new BytesResponse(303, HTML, new byte[0], headers);
  }

  /// What every path of the shop begins with in the client's eyes: the prefix of a reverse proxy,
  /// or nothing. For threads that the dispatcher servlet has called.
  static String contextPath() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes it
        ? it.getRequest().getContextPath()
        : "";
  }

  /// Response headers of every page. The referrer is sent only to the same origin. It is not
  /// disabled completely, because browsers would then send `Origin: null` with forms.
  static Map<String, String> headers(String contentSecurityPolicy) {
    return Map.of(
        "Content-Security-Policy",
        contentSecurityPolicy,
        "Cache-Control",
        "no-store",
        "X-Content-Type-Options",
        "nosniff",
        "Referrer-Policy",
        "same-origin",
        "Vary",
        "Accept, HX-Request");
  }

  private static SpringTemplateEngine newEngine() {
    var templates = new ClassLoaderTemplateResolver(TemplateRenderer.class.getClassLoader());
    templates.setPrefix("page/");
    templates.setSuffix(".html");
    templates.setCharacterEncoding("UTF-8");
    var engine = new SpringTemplateEngine();
    engine.setTemplateResolver(templates);
    engine.setLinkBuilder(new ContextPathLinkBuilder());
    return engine;
  }

  /// Puts the context path before each link `@{/…}` of a template.
  private static final class ContextPathLinkBuilder extends StandardLinkBuilder {
    @Override
    protected String computeContextPath(
        IExpressionContext context, String base, Map<String, Object> parameters) {
      return String.valueOf(context.getVariable(CONTEXT_PATH));
    }
  }
}
