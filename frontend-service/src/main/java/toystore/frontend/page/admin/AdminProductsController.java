package toystore.frontend.page.admin;

import static java.util.Objects.requireNonNullElse;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import java.util.Map;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.WebUtils;
import toystore.frontend.http.json.Units;
import toystore.frontend.http.key.IdempotencyKey;
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

  /// A refused form for a new product keeps its fields, one for a price the new price.
  @Override
  @GetMapping
  public String page(UserSession nobody, HttpServletRequest request, Model model) {
    String q = parameter(request, "q");
    String after = parameter(request, "after");
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
  String add(@Valid @ModelAttribute NewProduct product, @RequestParam IdempotencyKey key) {
    String name = catalog.add(key, product).name();
    return redirect(Notice.PRODUCT_ADDED, name, "");
  }

  @PostMapping("/products/price")
  String reprice(
      @RequestParam String name,
      @Valid @ModelAttribute Repricing change,
      HttpServletRequest request) {
    catalog.reprice(name, change);
    return redirect(Notice.PRICE_CHANGED, request);
  }

  @PostMapping("/products/restock")
  String restock(
      @RequestParam String name,
      @Valid @ModelAttribute Units added,
      @RequestParam IdempotencyKey key,
      HttpServletRequest request) {
    catalog.restock(key, name, added.quantity());
    return redirect(Notice.PRODUCT_RESTOCKED, request);
  }

  @PostMapping("/products/remove")
  String remove(@RequestParam String name, HttpServletRequest request) {
    catalog.remove(name);
    return redirect(Notice.PRODUCT_REMOVED, request);
  }

  /// Shows the same page of products again.
  private static String redirect(Notice notice, HttpServletRequest request) {
    return redirect(notice, parameter(request, "q"), parameter(request, "after"));
  }

  private static String parameter(HttpServletRequest request, String name) {
    return requireNonNullElse(request.getParameter(name), "");
  }

  private static String redirect(Notice notice, String q, String after) {
    var query =
        UriComponentsBuilder.fromPath("/admin")
            .queryParam("q", "{q}")
            .queryParam("after", "{after}");
    return notice.at(query.encode().buildAndExpand(q, after).toUriString());
  }
}
