package toystore.frontend.page.market;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import toystore.frontend.http.ApiErrorReason;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.BearerToken;
import toystore.frontend.http.BuyerSession;
import toystore.frontend.http.SellerSession;
import toystore.frontend.http.UserSession;

/// The session of the user who requests a page.
///
/// Its CSRF token is a MAC keyed with the session's token. So every frontend can check it without
/// state, it ends with the session, and it does not reveal the session's token.
record PageSession(UserSession user, BearerToken token) {
  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] PURPOSE = "toystore page form".getBytes(StandardCharsets.US_ASCII);

  public boolean isBuyer() {
    return user instanceof BuyerSession;
  }

  BuyerSession buyer() {
    if (user instanceof BuyerSession buyer) {
      return buyer;
    }
    throw ApiException.of(ApiErrorReason.OTHER_ROLE, "this page is for buyers");
  }

  SellerSession seller() {
    if (user instanceof SellerSession seller) {
      return seller;
    }
    throw ApiException.of(ApiErrorReason.OTHER_ROLE, "this page is for sellers");
  }

  public String csrfToken() {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(token.value().getBytes(StandardCharsets.UTF_8), ALGORITHM));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(PURPOSE));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(ALGORITHM + " is part of every JDK", e);
    }
  }

  /// Compares in constant time.
  boolean hasCsrfToken(String sent) {
    return MessageDigest.isEqual(
        csrfToken().getBytes(StandardCharsets.UTF_8), sent.getBytes(StandardCharsets.UTF_8));
  }
}
