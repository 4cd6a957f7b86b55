package toystore.frontend.accounts;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import toystore.frontend.http.BearerToken;
import toystore.frontend.http.ClientAddress;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.JsonBody;
import toystore.frontend.http.JsonResponse;
import toystore.frontend.http.MessageView;
import toystore.frontend.http.SellerSession;
import toystore.frontend.http.UserSession;

/// `/api/sellers`: accounts of sellers. Anyone can register and log in.
@Controller
@RequestMapping("/api/sellers")
final class SellersController {
  private final AccountClient accounts;

  SellersController(AccountClient accounts) {
    this.accounts = accounts;
  }

  @PostMapping("/register")
  JsonResponse register(IdempotencyKey key, JsonBody body, HttpServletRequest request) {
    boolean replayed =
        accounts.register(AccountRole.SELLER, key, Credentials.of(body), ClientAddress.of(request));
    return JsonResponse.plain(201, new LoginView("seller registered", null)).replayed(replayed);
  }

  @PostMapping("/login")
  JsonResponse login(JsonBody body, HttpServletRequest request) {
    String token =
        accounts.login(AccountRole.SELLER, Credentials.of(body), ClientAddress.of(request));
    return JsonResponse.plain(200, new LoginView("logged in", token));
  }

  @PostMapping("/logout")
  JsonResponse logout(SellerSession session, BearerToken token) {
    accounts.logout(token);
    return JsonResponse.plain(200, new MessageView("logged out"));
  }

  @GetMapping("/rating")
  JsonResponse ownRating(SellerSession session) {
    return rating(accounts.sellerRating(session.sellerId()));
  }

  @GetMapping("/{id}/rating")
  JsonResponse rating(UserSession session, @PathVariable String id) {
    return rating(accounts.sellerRating(id));
  }

  private static JsonResponse rating(RatingView rating) {
    return JsonResponse.plain(200, Map.of("rating", rating));
  }
}
