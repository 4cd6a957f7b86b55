package toystore.order.domain;

import static toystore.common.RootLocale.format;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import toystore.platform.journal.RequestKey;

/// The key of a sale or return of series PURCHASES. It contains buyer and purchase, so that
/// purchases can be rebuilt from the catalog.
public record SaleKey(boolean isReturn, long buyerId, String purchaseId) {
  private static final Pattern STORED =
      Pattern.compile("(purchase|return) buyer (\\d{1,18})\n(.+)");

  public static SaleKey of(Purchase purchase, boolean isReturn) {
    return new SaleKey(isReturn, purchase.owner().buyerId(), purchase.id());
  }

  public static Optional<SaleKey> parse(String stored) {
    Matcher key = STORED.matcher(stored);
    return key.matches()
        ? Optional.of(
            new SaleKey(key.group(1).equals("return"), Long.parseLong(key.group(2)), key.group(3)))
        : Optional.empty();
  }

  public RequestKey requestKey() {
    return new RequestKey(
        format("%s buyer %d", isReturn ? "return" : "purchase", buyerId), purchaseId, true);
  }

  /// As the catalog stores it.
  public String stored() {
    return requestKey().stored();
  }
}
