package toystore.frontend.page.admin;

import static java.util.Objects.requireNonNullElse;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import org.springframework.web.util.WebUtils;
import toystore.frontend.http.json.Expected;
import toystore.frontend.http.json.Units;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.money.Decimal;
import toystore.frontend.http.money.Repricing;
import toystore.frontend.page.form.FormPage;
import toystore.frontend.page.form.Notice;
import toystore.frontend.products.NewProduct;
import toystore.frontend.products.ProductClient;
import toystore.frontend.security.UserSession;

/// Searches, adds, prices, restocks and removes products. After a form, the same page of products
/// is shown.
@Controller
@RequestMapping("/admin")
final class AdminProductsController implements FormPage {
  private static final int PAGE_SIZE = 24;

  private final ProductClient catalog;

  AdminProductsController(ProductClient catalog) {
    this.catalog = catalog;
  }

  record ProductForm(
      @NotEmpty(message = Expected.TEXT) String name,
      @Decimal(min = "0.01", max = "1000000000.00", decimals = 2, message = Decimal.PRICE)
          BigDecimal price,
      @Min(value = 1, message = Expected.COUNT) int quantity,
      @Nullable String category) {
    NewProduct product() {
      return new NewProduct(name, price, quantity, requireNonNullElse(category, ""));
    }
  }

  /// A page of products.
  ///
  /// @param q words of the search
  /// @param after the page begins after this product
  record Shown(@Nullable String q, @Nullable String after) {
    static Shown of(HttpServletRequest request) {
      return new Shown(request.getParameter("q"), request.getParameter("after"));
    }

    String redirect(Notice notice, RedirectAttributes next) {
      next.addAttribute("q", requireNonNullElse(q, ""));
      next.addAttribute("after", requireNonNullElse(after, ""));
      return notice.at("/admin", next);
    }
  }

  /// A refused form for a new product keeps its fields, one for a price the new price.
  @Override
  @GetMapping
  public String page(UserSession nobody, HttpServletRequest request, Model model) {
    Shown shown = Shown.of(request);
    String q = requireNonNullElse(shown.q(), "");
    String after = requireNonNullElse(shown.after(), "");
    var page = catalog.list(q, "", after, PAGE_SIZE);
    model.addAttribute("q", q);
    model.addAttribute("after", after);
    model.addAttribute("products", page.items());
    model.addAttribute("next", page.next());
    boolean isPrice = request.getServletPath().equals("/admin/products/price");
    model.addAttribute("refused", isPrice ? request.getParameter("name") : null);
    model.addAttribute("refusedPrice", request.getParameter("price"));
    model.addAttribute(
        "draft",
        request.getServletPath().equals("/admin/products")
            ? WebUtils.getParametersStartingWith(request, "")
            : Map.of());
    return "admin/products";
  }

  @PostMapping("/products")
  String add(
      @Valid @ModelAttribute ProductForm form,
      @RequestParam IdempotencyKey key,
      RedirectAttributes next) {
    String name = catalog.add(key, form.product()).view().name();
    return new Shown(name, "").redirect(Notice.PRODUCT_ADDED, next);
  }

  @PostMapping("/products/price")
  String reprice(
      @RequestParam String name,
      @Valid @ModelAttribute Repricing change,
      HttpServletRequest request,
      RedirectAttributes next) {
    catalog.reprice(name, change);
    return Shown.of(request).redirect(Notice.PRICE_CHANGED, next);
  }

  @PostMapping("/products/restock")
  String restock(
      @RequestParam String name,
      @Valid @ModelAttribute Units added,
      @RequestParam IdempotencyKey key,
      HttpServletRequest request,
      RedirectAttributes next) {
    catalog.restock(key, name, added.quantity());
    return Shown.of(request).redirect(Notice.PRODUCT_RESTOCKED, next);
  }

  @PostMapping("/products/remove")
  String remove(@RequestParam String name, HttpServletRequest request, RedirectAttributes next) {
    catalog.remove(name);
    return Shown.of(request).redirect(Notice.PRODUCT_REMOVED, next);
  }
}
