package toystore.frontend.page;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.format.FormatterRegistry;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.config.annotation.ContentNegotiationConfigurer;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.ResourceUrlProvider;
import org.springframework.web.servlet.resource.VersionResourceResolver;
import org.thymeleaf.spring6.ISpringTemplateEngine;
import org.thymeleaf.spring6.SpringTemplateEngine;
import org.thymeleaf.spring6.view.ThymeleafViewResolver;
import org.thymeleaf.templateresolver.ClassLoaderTemplateResolver;
import toystore.frontend.exchange.ExchangeInput.Direction;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.request.BrowserRequest;
import toystore.frontend.items.ItemCondition;
import toystore.frontend.orders.NewOrder.Trade;
import toystore.frontend.security.AccountRole;

/// Decides which requests are answered with a page, and serves the static files of the pages: CSS,
/// scripts, drawings. The URL of a file contains its hash, so browsers may cache it without expiry.
@Configuration(proxyBeanMethods = false)
public class PageConfiguration implements WebMvcConfigurer {
  /// A request has one type: HTML if the client prefers it, else JSON. A controller method or an
  /// exception handler that produces `text/html` is therefore called only if HTML is preferred.
  @Override
  public void configureContentNegotiation(ContentNegotiationConfigurer configurer) {
    configurer.strategies(
        List.of(request ->
            request.getNativeRequest() instanceof HttpServletRequest it
                    && BrowserRequest.wantsHtml(it)
                ? List.of(MediaType.TEXT_HTML, MediaType.ALL) // the management port has no pages
                : List.of(MediaType.APPLICATION_JSON)));
  }

  /// Words and keys of forms.
  @Override
  public void addFormatters(FormatterRegistry registry) {
    registry.addConverter(String.class, IdempotencyKey.class, IdempotencyKey::fromClient);
    registry.addConverter(String.class, AccountRole.class, AccountRole::of);
    registry.addConverter(String.class, Direction.class, Direction::of);
    registry.addConverter(String.class, ItemCondition.class, ItemCondition::of);
    registry.addConverter(String.class, Trade.class, Trade::of);
  }

  /// The URLs of the files that templates name, each with the hash of the file's content, which is
  /// computed once. Any thread.
  public static final class AssetUrls {
    private final ResourceUrlProvider files;
    private final ConcurrentMap<String, String> urls = new ConcurrentHashMap<>();

    AssetUrls(ResourceUrlProvider files) {
      this.files = files;
    }

    /// @param path written in a template, such as `/assets/shop.css`
    public String of(String path) {
      return urls.computeIfAbsent(path, it -> requireNonNull(files.getForLookupPath(it), it));
    }
  }

  /// A form is answered with 303. The engine is created for the first page, to keep startup fast.
  @Bean
  ThymeleafViewResolver pages(
      @Lazy ISpringTemplateEngine pageEngine,
      @Qualifier("mvcResourceUrlProvider") ResourceUrlProvider assets) {
    var resolver = new ThymeleafViewResolver();
    resolver.setViewClass(PageView.class);
    resolver.setTemplateEngine(pageEngine);
    resolver.setCharacterEncoding("UTF-8");
    resolver.setRedirectHttp10Compatible(false);
    resolver.setStaticVariables(Map.of("assets", new AssetUrls(assets), "texts", new ErrorTexts()));
    return resolver;
  }

  @Bean
  @Lazy
  ISpringTemplateEngine pageEngine() {
    var templates = new ClassLoaderTemplateResolver(PageConfiguration.class.getClassLoader());
    templates.setPrefix("page/");
    templates.setSuffix(".html");
    templates.setCharacterEncoding("UTF-8");
    var engine = new SpringTemplateEngine();
    engine.setTemplateResolver(templates);
    return engine;
  }

  /// Spring's cache of paths is off: it has no bound, and one file has many paths, such as
  /// `/assets/./shop.css` and `/assets/%73hop.css`.
  @Override
  public void addResourceHandlers(ResourceHandlerRegistry registry) {
    registry
        .addResourceHandler("/assets/**")
        .addResourceLocations(
            "classpath:/assets/", "classpath:/META-INF/resources/webjars/htmx.org/2.0.8/dist/")
        .setCacheControl(CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable())
        .resourceChain(false)
        .addResolver(new VersionResourceResolver().addContentVersionStrategy("/**"));
  }
}
