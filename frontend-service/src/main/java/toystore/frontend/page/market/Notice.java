package toystore.frontend.page.market;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/// What a form has just done, for the page to which it redirects. A cookie carries its name to that
/// page and ends with it: no link can make a page say it.
enum Notice {
  SESSION_ENDED("Your session has ended. Please log in again."),
  NOT_LOGGED_IN(
      "You are not logged in any more, so nothing was done. Please log in and try again."),
  LOGGED_OUT("You are logged out."),
  REGISTERED("Your account was created. Please log in."),
  ITEM_ADDED("The item is on sale."),
  PRICE_CHANGED("The price was changed."),
  UNITS_REMOVED("The units were removed from sale."),
  ADDED_TO_CART("Added to your cart."),
  REMOVED_FROM_CART("Removed from your cart."),
  CART_CLEARED("Your cart is empty now. A cart that you saved before is still saved."),
  CART_SAVED("Your cart is saved. You will find it again at your next login."),
  PRICE_ACCEPTED("Your cart has the new price."),
  PURCHASED("Thank you! Your purchase is complete."),
  FEEDBACK_GIVEN("Thank you for your feedback."),
  ACCOUNT_OPENED("Your account is open."),
  SHARES_ADDED("The shares were added."),
  ORDER_PLACED("Your order was placed."),
  ORDER_CANCELED("The rest of the order is canceled.");

  private final String text;

  Notice(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  /// The name in the cookie, such as `cart-saved`.
  String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// Redirects to the page that shows it.
  String at(String path, RedirectAttributes next) {
    next.addFlashAttribute(FormAdvice.MESSAGE, this);
    return "redirect:" + path;
  }

  static Optional<Notice> of(String code) {
    return Arrays.stream(values()).filter(it -> it.code().equals(code)).findFirst();
  }
}
