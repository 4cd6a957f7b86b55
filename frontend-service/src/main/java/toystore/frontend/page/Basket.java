package toystore.frontend.page;

import jakarta.servlet.http.HttpServletRequest;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.ProductNameValidator;
import toystore.frontend.http.money.DecimalAmounts;
import toystore.frontend.http.request.HostCookie;
import toystore.frontend.orders.NewOrder;
import toystore.platform.error.ErrorReason;
import toystore.platform.text.Limits;

/// The toys that a customer has chosen: their names and numbers of units. A cookie keeps it between
/// pages. The form that orders it contains it with the prices that the page showed, so that a
/// repeated form is the same order.
///
/// @param units by name, in the order in which they were added
/// @param cents price of one unit that the page showed, by name; empty in the cookie
/// @param taken the last order whose toys were taken out of the cookie; null: none
record Basket(Map<String, Integer> units, Map<String, Long> cents, @Nullable Long taken) {
  private static final HostCookie COOKIE = HostCookie.BASKET;

  private static final Duration MAX_AGE = Duration.ofDays(7);
  private static final Basket EMPTY = new Basket(Map.of(), Map.of(), null);

  /// A browser sends the cookies of all ports of a host, and a request has at most 8 kB of headers.
  private static final int MAX_TEXT = 1_500;

  private static final Pattern LINE =
      Pattern.compile("([1-9]\\d{0,9})(?:@([1-9]\\d{0,11}))? (.+)|#(\\d{1,18})");

  /// @throws ApiException CART_FULL if it is larger than an order may be
  Basket {
    if (!units.keySet().stream().allMatch(ProductNameValidator::isValid)) {
      throw ApiException.productNotFound();
    }
    if (units.size() > Limits.MAX_LINES) {
      throw full();
    }
  }

  private static ApiException full() {
    return ApiException.of(ErrorReason.CART_FULL, "basket is full");
  }

  /// Returns the basket of the request's cookie. A cookie that no page made is an empty basket.
  static Basket of(HttpServletRequest request) {
    try {
      return parse(COOKIE.read(request).orElse(""));
    } catch (ApiException e) {
      return EMPTY;
    }
  }

  /// @param text as [#text] returns it
  static Basket parse(String text) {
    try {
      var units = new LinkedHashMap<String, Integer>();
      var cents = new HashMap<String, Long>();
      Long taken = null;
      for (String line :
          new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8)
              .lines()
              .toList()) {
        Matcher match = LINE.matcher(line);
        if (!match.matches()) {
          throw new IllegalArgumentException(line);
        }
        if (match.group(4) != null) {
          taken = Long.valueOf(match.group(4));
          continue;
        }
        units.put(match.group(3), Integer.valueOf(match.group(1)));
        if (match.group(2) != null) {
          cents.put(match.group(3), Long.valueOf(match.group(2)));
        }
      }
      return new Basket(units, cents, taken);
    } catch (IllegalArgumentException e) {
      throw ApiException.badRequest(
          "basket must be the text of the page's own form, got " + ApiException.shorten(text));
    }
  }

  /// Lines of units, price in cents if it was shown, and name, encoded for a cookie: `2@2599 Tux`.
  /// Then the last order: `#12`.
  String text() {
    return text(units, cents, taken);
  }

  private static String text(
      Map<String, Integer> units, Map<String, Long> cents, @Nullable Long taken) {
    var lines = new StringJoiner("\n");
    units.forEach((name, count) ->
        lines.add(count + (cents.containsKey(name) ? "@" + cents.get(name) : "") + " " + name));
    if (taken != null) {
      lines.add("#" + taken);
    }
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(lines.toString().getBytes(StandardCharsets.UTF_8));
  }

  /// @throws ApiException CART_FULL if it is larger than an order or a cookie may be
  Basket plus(String name, int added) {
    int before = units.getOrDefault(name, 0);
    Basket after = with(name, (int) Math.min(Integer.MAX_VALUE, (long) before + added));
    if (after.text().length() > MAX_TEXT) {
      throw full();
    }
    return after;
  }

  /// @param count 0 removes the toy
  Basket with(String name, int count) {
    var changed = new LinkedHashMap<>(units);
    if (count == 0) {
      changed.remove(name);
    } else {
      changed.put(name, count);
    }
    return new Basket(changed, Map.of(), taken);
  }

  /// This basket with the prices that a page shows.
  Basket priced(List<ProductCard> lines) {
    var shown = new HashMap<String, Long>();
    for (ProductCard line : lines) {
      if (line.unitPrice() != null) {
        shown.put(line.name(), DecimalAmounts.toCents(line.unitPrice()));
      }
    }
    return new Basket(units, shown, taken);
  }

  /// Takes out what was ordered, once, and keeps what was added meanwhile.
  Basket without(Basket ordered, long order) {
    if (taken != null && taken == order) {
      return this;
    }
    var left = new LinkedHashMap<>(units);
    ordered.units.forEach((name, count) ->
        left.computeIfPresent(name, (_, now) -> now > count ? (Integer) (now - count) : null));
    return new Basket(left, Map.of(), order);
  }

  /// Number of units of all toys, for the link to the basket.
  long size() {
    return units.values().stream().mapToLong(Integer::longValue).sum();
  }

  NewOrder order() {
    return NewOrder.of(
        units.entrySet().stream()
            .map(it -> new NewOrder.Line(it.getKey(), it.getValue(), price(it.getKey())))
            .toList());
  }

  /// The price that the page showed; null: none.
  @Nullable BigDecimal price(String name) {
    Long shown = cents.get(name);
    return shown == null ? null : DecimalAmounts.ofCents(shown);
  }

  String cookie(HttpServletRequest request) {
    return equals(EMPTY) ? COOKIE.delete(request) : COOKIE.create(request, text(), MAX_AGE);
  }
}
