package toystore.frontend.page;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import toystore.frontend.http.ApiErrorReason;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.HostCookie;
import toystore.frontend.http.ProductNameValidator;
import toystore.frontend.orders.NewOrder;
import toystore.platform.text.Limits;

/// The toys that a customer has chosen: their names and numbers of units, and nothing else. A
/// cookie keeps it between pages, and the form that orders it contains it, so that a repeated form
/// is the same order.
///
/// @param units by name, in the order in which they were added
record Basket(Map<String, Integer> units) {
  static final HostCookie COOKIE = new HostCookie("toystore-basket");

  private static final Duration MAX_AGE = Duration.ofDays(7);
  private static final int MAX_TEXT = 3_000; // a browser keeps a cookie of 4,096 bytes
  private static final Pattern LINE = Pattern.compile("([1-9]\\d{0,9}) (.+)");

  /// @throws ApiException CART_FULL if it is larger than an order or a cookie may be
  Basket {
    if (!units.keySet().stream().allMatch(ProductNameValidator::isValid)) {
      throw ApiException.productNotFound();
    }
    if (units.size() > Limits.MAX_LINES || text(units).length() > MAX_TEXT) {
      throw ApiException.of(ApiErrorReason.CART_FULL, "basket is full");
    }
  }

  /// Returns the basket of the request's cookie. A cookie that no page made is an empty basket.
  static Basket of(HttpServletRequest request) {
    try {
      return parse(COOKIE.read(request).orElse(""));
    } catch (ApiException e) {
      return new Basket(Map.of());
    }
  }

  /// @param text as [#text] returns it
  static Basket parse(String text) {
    try {
      var units = new LinkedHashMap<String, Integer>();
      new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8)
          .lines()
          .forEach(line -> {
            Matcher match = LINE.matcher(line);
            if (!match.matches()) {
              throw new IllegalArgumentException(line);
            }
            units.put(match.group(2), Integer.valueOf(match.group(1)));
          });
      return new Basket(units);
    } catch (IllegalArgumentException e) {
      throw ApiException.badRequest(
          "basket must be the text of the page's own form, got " + ApiException.shorten(text));
    }
  }

  /// Lines of units and name, encoded for a cookie: `2 Tux`.
  String text() {
    return text(units);
  }

  private static String text(Map<String, Integer> units) {
    String lines =
        units.entrySet().stream()
            .map(it -> it.getValue() + " " + it.getKey())
            .collect(Collectors.joining("\n"));
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(lines.getBytes(StandardCharsets.UTF_8));
  }

  Basket plus(String name, int added) {
    int before = units.getOrDefault(name, 0);
    return with(name, (int) Math.min(Integer.MAX_VALUE, (long) before + added));
  }

  /// @param count 0 removes the toy
  Basket with(String name, int count) {
    var changed = new LinkedHashMap<>(units);
    if (count == 0) {
      changed.remove(name);
    } else {
      changed.put(name, count);
    }
    return new Basket(changed);
  }

  /// Number of units of all toys, for the link to the basket.
  long size() {
    return units.values().stream().mapToLong(Integer::longValue).sum();
  }

  NewOrder order() {
    return new NewOrder(
        null,
        null,
        units.entrySet().stream().map(it -> new NewOrder.Line(it.getKey(), it.getValue())).toList(),
        null);
  }

  /// Returns the `Set-Cookie` header that keeps it.
  String cookie(HttpServletRequest request) {
    return units.isEmpty() ? COOKIE.delete(request) : COOKIE.create(request, text(), MAX_AGE);
  }
}
