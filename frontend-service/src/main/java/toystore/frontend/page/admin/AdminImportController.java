package toystore.frontend.page.admin;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotEmpty;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.Expected;
import toystore.frontend.page.form.FormPage;
import toystore.frontend.page.form.Notice;
import toystore.frontend.products.ProductClient;
import toystore.frontend.products.ProductClient.ProductChangeView;
import toystore.frontend.security.UserSession;
import toystore.platform.error.ErrorReason;

/// Imports products from CSV text, after showing what differs. The text is a form's field, so it is
/// bounded by the size of a form.
@Controller
@RequestMapping("/admin/import")
final class AdminImportController implements FormPage {
  private final ProductClient catalog;

  AdminImportController(ProductClient catalog) {
    this.catalog = catalog;
  }

  record ImportForm(@NotEmpty(message = Expected.TEXT) String csv) {}

  /// @param seen the differences that were shown, a line for each product: its name, a tab, the
  ///   text
  record ApplyForm(
      @NotEmpty(message = Expected.TEXT) String csv,
      @NotEmpty(message = Expected.TEXT) String seen) {
    static String seen(List<ProductChangeView> changes) {
      return changes.stream()
          .map(it -> it.name() + '\t' + it.differences())
          .collect(Collectors.joining("\n"));
    }

    List<ProductChangeView> changes() {
      return seen.lines()
          .map(line -> {
            String[] parts = line.split("\t", 2);
            if (parts.length < 2) {
              throw ApiException.badRequest(
                  "seen must be the text of the page's own form, got "
                      + ApiException.shorten(line));
            }
            return new ProductChangeView(parts[0], parts[1]);
          })
          .toList();
    }
  }

  /// A refused form keeps its text. If other differences were shown, it shows those of now.
  @Override
  @GetMapping
  public String page(UserSession nobody, HttpServletRequest request, Model model) {
    String csv = Objects.requireNonNullElse(request.getParameter("csv"), "");
    var refusal = (ApiException) request.getAttribute(REFUSAL);
    if (refusal != null && refusal.reason() == ErrorReason.PRODUCT_CHANGED) {
      return differences(csv, model);
    }
    model.addAttribute("csv", csv);
    return "admin/import";
  }

  @PostMapping
  String preview(@Valid @ModelAttribute ImportForm form, Model model) {
    return differences(form.csv(), model);
  }

  private String differences(String csv, Model model) {
    List<ProductChangeView> changes = catalog.previewImport(csv);
    model.addAttribute("csv", csv);
    model.addAttribute("changes", changes);
    model.addAttribute("seen", ApplyForm.seen(changes));
    return "admin/import";
  }

  /// Imports what was shown: a form that is sent twice is refused.
  @PostMapping("/apply")
  String apply(@Valid @ModelAttribute ApplyForm form) {
    catalog.importProducts(form.csv(), form.changes());
    return Notice.PRODUCTS_IMPORTED.at("/admin/changes");
  }
}
