package toystore.frontend.page.admin;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotEmpty;
import java.util.List;
import java.util.Objects;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import toystore.frontend.http.Expected;
import toystore.frontend.page.market.FormAdvice;
import toystore.frontend.page.market.FormPage;
import toystore.frontend.page.market.Notice;
import toystore.frontend.page.market.PageMessage;
import toystore.frontend.products.ProductChangeView;
import toystore.frontend.products.ProductClient;
import toystore.frontend.security.UserSession;

/// Imports products from CSV text, after showing what differs. The text is a form's field, so it is
/// bounded by the size of a form.
@Controller
@RequestMapping("/admin/import")
final class AdminImportController implements FormPage {
  private static final String CHANGED =
      "Products have changed since these differences were shown, so nothing was imported. Please look"
          + " at them again.";

  private final ProductClient catalog;

  AdminImportController(ProductClient catalog) {
    this.catalog = catalog;
  }

  record ImportForm(@NotEmpty(message = Expected.TEXT) String csv) {}

  /// A refused form keeps its text.
  @Override
  @GetMapping
  public String page(UserSession nobody, HttpServletRequest request, Model model) {
    model.addAttribute("csv", Objects.requireNonNullElse(request.getParameter("csv"), ""));
    return "admin/import";
  }

  @PostMapping
  String preview(@Valid @ModelAttribute ImportForm form, Model model) {
    return differences(form.csv(), catalog.previewImport(form.csv()), model);
  }

  private static String differences(String csv, List<ProductChangeView> changes, Model model) {
    model.addAttribute("csv", csv);
    model.addAttribute("changes", changes);
    return "admin/import";
  }

  /// @param seen number of products that the shown differences would change: a form that is sent
  ///   twice finds none
  @PostMapping("/apply")
  String apply(
      @Valid @ModelAttribute ImportForm form,
      @RequestParam int seen,
      HttpServletResponse response,
      Model model,
      RedirectAttributes next) {
    List<ProductChangeView> changes = catalog.previewImport(form.csv());
    if (changes.size() != seen) {
      response.setStatus(HttpServletResponse.SC_CONFLICT);
      model.addAttribute(FormAdvice.MESSAGE, new PageMessage(409, CHANGED, true));
      return differences(form.csv(), changes, model);
    }
    catalog.importProducts(form.csv(), changes.stream().map(ProductChangeView::name).toList());
    return Notice.PRODUCTS_IMPORTED.at("/admin/changes", next);
  }
}
