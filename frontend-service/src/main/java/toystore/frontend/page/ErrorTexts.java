package toystore.frontend.page;

import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.support.DefaultMessageSourceResolvable;
import org.springframework.context.support.ResourceBundleMessageSource;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.products.ProductView;
import toystore.platform.error.ErrorReason;

/// Texts for people, from `page/messages.properties`: those of errors by reason and HTTP status.
/// Templates know it as `texts`.
public final class ErrorTexts {
  private static final ResourceBundleMessageSource TEXTS = new ResourceBundleMessageSource();

  static {
    TEXTS.setBasename("page/messages");
    // the thread's own class loader is that of one web application, which may be closed before
    // others
    TEXTS.setBundleClassLoader(ErrorTexts.class.getClassLoader());
    TEXTS.setDefaultEncoding("UTF-8");
    TEXTS.setAlwaysUseMessageFormat(true);
  }

  ErrorTexts() {}

  public static String title(ApiException error) {
    return find(error, "title");
  }

  public static String of(ApiException error) {
    return find(error, "error");
  }

  /// @param isKeyed whether the form has an idempotency key
  public static String ofForm(ApiException error, boolean isKeyed) {
    return find(error, isKeyed ? "keyed" : "unkeyed", "form", "error");
  }

  /// @param product state of the product after the error; null: it is not sold or unknown
  static String ofOrder(ApiException error, @Nullable ProductView product) {
    if (error.status() == 409 && error.reason() != ErrorReason.PRICE_CHANGED && product != null) {
      if (Boolean.TRUE.equals(product.suspended())) {
        return of("order.suspended");
      }
      if (product.quantity() == 0) {
        return of("order.sold-out");
      }
    }
    return find(error, "order", "error");
  }

  static String ofBasket(ApiException error) {
    return find(error, "basket", "order", "error");
  }

  public static String of(String code) {
    return TEXTS.getMessage(code, null, Locale.ENGLISH);
  }

  /// @param kinds in which a text is looked up; the last one has a text for every error
  private static String find(ApiException error, String... kinds) {
    String[] codes =
        Stream.of(kinds)
            .flatMap(
                kind -> Stream.of(kind + "." + error.reason(), kind + "." + error.status(), kind))
            .toArray(String[]::new);
    return TEXTS.getMessage(
        new DefaultMessageSourceResolvable(
            codes, new Object[] {error.message(), error.retryAfter()}),
        Locale.ENGLISH);
  }
}
