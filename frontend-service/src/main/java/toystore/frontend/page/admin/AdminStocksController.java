package toystore.frontend.page.admin;

import static java.util.Objects.requireNonNullElse;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.page.form.FormPage;
import toystore.frontend.page.form.Notice;
import toystore.frontend.products.ProductClient;
import toystore.frontend.products.Resumption;
import toystore.frontend.security.UserSession;

/// The traded stocks, with a form for each that is suspended.
@Controller
@RequestMapping("/admin/stocks")
final class AdminStocksController implements FormPage {
  private static final int PAGE_SIZE = 24;

  private final ProductClient catalog;

  AdminStocksController(ProductClient catalog) {
    this.catalog = catalog;
  }

  @Override
  @GetMapping
  public String page(UserSession nobody, HttpServletRequest request, Model model) {
    var page = catalog.listStocks(requireNonNullElse(request.getParameter("after"), ""), PAGE_SIZE);
    model.addAttribute("stocks", page.items());
    model.addAttribute("next", page.next());
    return "admin/stocks";
  }

  @PostMapping("/resume")
  String resume(
      @RequestParam String name,
      @Valid @ModelAttribute Resumption form,
      @RequestParam(required = false) @Nullable Long expectedVolume,
      @RequestParam IdempotencyKey key) {
    catalog.resume(key, name, form.maxVolume(), expectedVolume);
    return Notice.TRADING_RESUMED.at("/admin/stocks");
  }
}
