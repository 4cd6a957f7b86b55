package toystore.frontend.page;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import toystore.frontend.http.ApiError;
import toystore.frontend.http.BrowserRequest;
import toystore.frontend.http.BytesResponse;
import toystore.frontend.http.FormBody;
import toystore.frontend.http.HttpReply;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.JsonResponse;
import toystore.frontend.http.ResultPage;
import toystore.frontend.orders.NewOrder;
import toystore.frontend.orders.OrderClient;
import toystore.frontend.orders.OrderConfirmation;
import toystore.frontend.orders.OrderView;
import toystore.frontend.products.ProductClient;
import toystore.frontend.products.ProductView;

/// The pages: `/` lists and searches toys, `/buy` orders one toy, `/find` shows an order, `/lab`
/// shows the lab report. Errors are shown as texts for people, with the same HTTP status as in the
/// API.
@Controller
final class PageController {
  private static final int PAGE_SIZE = 24;
  private static final int MAX_QUERY = 200;
  private static final DateTimeFormatter PLACED_FORMAT =
      DateTimeFormatter.ofPattern("d MMMM uuuu 'at' HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private final ProductClient catalog;
  private final OrderClient orders;
  private final Categories categories;
  private final LabReport lab;
  private final ObjectProvider<TemplateRenderer> renderer;

  PageController(
      ProductClient catalog,
      OrderClient orders,
      Categories categories,
      LabReport lab,
      ObjectProvider<TemplateRenderer> renderer) {
    this.catalog = catalog;
    this.orders = orders;
    this.categories = categories;
    this.lab = lab;
    this.renderer = renderer;
  }

  /// Returns the shop page if the client prefers HTML, else links as JSON.
  @GetMapping("/")
  HttpReply home(
      HttpServletRequest request,
      @RequestParam(defaultValue = "") String q,
      @RequestParam(defaultValue = "") String category,
      @RequestParam(defaultValue = "") String after) {
    HttpReply reply =
        BrowserRequest.wantsHtml(request)
            ? toys(q, category, after)
            : JsonResponse.ok(HomeLinks.of(lab.exists()));
    return response -> {
      response.setHeader("Vary", "Accept, HX-Request");
      reply.writeTo(response);
    };
  }

  @GetMapping("/find")
  HttpReply find(@RequestParam(defaultValue = "") String number) {
    String digits = number.strip();
    try {
      OrderView order = orders.find(digits);
      String placed = PLACED_FORMAT.format(Instant.parse(order.time()));
      return render(200, "order", Map.of("order", order, "placed", placed));
    } catch (ApiError e) {
      String message = e.isNotFound() ? "There is no order " + digits + "." : ErrorTexts.of(e);
      return render(e.status(), "message", Map.of("title", "Find an order", "message", message));
    }
  }

  /// Orders one toy. The key in the form ensures one order, however often the form is sent.
  @PostMapping("/buy")
  HttpReply buy(HttpServletRequest request, FormBody form) {
    boolean isHtmx = BrowserRequest.isHtmx(request);
    Optional<IdempotencyKey> key = Optional.empty();
    String name = "";
    try {
      key = Optional.of(IdempotencyKey.fromClient(form.text("key")));
      name = form.text("name");
      OrderConfirmation placed = orders.place("/buy", key.get(), NewOrder.ofSingle(name));
      return isHtmx
          ? card(
              200, ProductCard.afterOrder(findProduct(name), name, key.get(), placed.number()), key)
          : redirect("/find?number=" + placed.number(), key.get());
    } catch (ApiError e) {
      ProductCard card = ProductCard.afterError(findProduct(name), name, key, e);
      return isHtmx
          ? card(e.status(), card, key)
          : render(e.status(), "refusal", Map.of("card", card), key);
    }
  }

  @GetMapping("/lab")
  BytesResponse lab() {
    return lab.read().orElseThrow(() -> ApiError.notFound("lab report"));
  }

  private BytesResponse toys(String q, String category, String after) {
    try {
      if (q.codePointCount(0, q.length()) > MAX_QUERY) {
        throw ApiError.badRequest("search text must be at most " + MAX_QUERY + " characters");
      }
      ResultPage<ProductView> page =
          q.isBlank()
              ? catalog.list(category, after, PAGE_SIZE)
              : catalog.search(q, category, after, PAGE_SIZE);
      return toys(
          200,
          new SearchPage(
              q,
              category,
              categories.including(category),
              page.items().stream().map(ProductCard::of).toList(),
              page.next() == null ? null : pageUrl(q, category, page.next().toString()),
              after.isEmpty() ? null : pageUrl(q, category, ""),
              null));
    } catch (ApiError e) {
      return toys(
          e.status(),
          new SearchPage(q, category, List.of(), List.of(), null, null, ErrorTexts.of(e)));
    }
  }

  private BytesResponse toys(int status, SearchPage search) {
    return render(status, "toys", Map.of("search", search));
  }

  /// Returns the current state of the toy; empty if it is not sold or the catalog is unavailable.
  private Optional<ProductView> findProduct(String name) {
    try {
      return catalog.find(name);
    } catch (ApiError e) {
      return Optional.empty();
    }
  }

  private BytesResponse card(int status, ProductCard card, Optional<IdempotencyKey> key) {
    return render(status, "card", Map.of("card", card), key);
  }

  private BytesResponse render(int status, String template, Map<String, Object> model) {
    return render(status, template, model, Optional.empty());
  }

  private BytesResponse render(
      int status, String template, Map<String, Object> model, Optional<IdempotencyKey> key) {
    return renderer.getObject().render(status, template, model, lab.exists(), key);
  }

  private static BytesResponse redirect(String path, IdempotencyKey key) {
    return new BytesResponse(
        303,
        TemplateRenderer.HTML,
        new byte[0],
        Map.of("Location", path, "Cache-Control", "no-store", IdempotencyKey.HEADER, key.value()));
  }

  private static String pageUrl(String q, String category, String after) {
    return "/?q="
        + urlEncode(q)
        + "&category="
        + urlEncode(category)
        + "&after="
        + urlEncode(after);
  }

  private static String urlEncode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /// One page of toys, as listed or found by a search.
  ///
  /// @param next URL of the next page; absent on the last page
  /// @param first URL of the first page; absent on the first page
  /// @param problem error text if the toys could not be read; absent if there was no error
  record SearchPage(
      String q,
      String category,
      List<String> categories,
      List<ProductCard> cards,
      @Nullable String next,
      @Nullable String first,
      @Nullable String problem) {

    /// The number of toys, announced to screen readers.
    public String count() {
      return switch (cards.size()) {
        case 0 -> problem == null ? "No toys found" : "";
        case 1 -> "1 toy";
        default -> cards.size() + " toys" + (next == null ? "" : ", and there are more");
      };
    }
  }
}
