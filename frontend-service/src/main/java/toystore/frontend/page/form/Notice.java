package toystore.frontend.page.form;

import java.util.Arrays;
import java.util.Optional;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.support.RequestContextUtils;

/// What a form has just done, for the page to which it redirects. A cookie carries its name to that
/// page and ends with it: no link can make a page say it.
public enum Notice {
  SESSION_ENDED,
  NOT_LOGGED_IN,
  LOGGED_OUT,
  REGISTERED,
  WELCOME,
  ITEM_ADDED,
  PRICE_CHANGED,
  UNITS_REMOVED,
  ADDED_TO_CART,
  REMOVED_FROM_CART,
  CART_CLEARED,
  CART_SAVED,
  PRICE_ACCEPTED,
  PURCHASED,
  FEEDBACK_GIVEN,
  ACCOUNT_OPENED,
  SHARES_ADDED,
  ORDER_PLACED,
  ORDER_CANCELED,
  PRODUCT_ADDED,
  PRODUCT_RESTOCKED,
  PRODUCT_REMOVED,
  PRODUCTS_IMPORTED,
  TRADING_RESUMED;

  /// Redirects to the page that shows it.
  public String at(String path) {
    var current = (ServletRequestAttributes) RequestContextHolder.currentRequestAttributes();
    RequestContextUtils.getOutputFlashMap(current.getRequest()).put(FormAdvice.MESSAGE, this);
    return "redirect:" + path;
  }

  static Optional<Notice> of(String name) {
    return Arrays.stream(values()).filter(it -> it.name().equals(name)).findFirst();
  }
}
