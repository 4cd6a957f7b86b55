package toystore.frontend.page.form;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.ui.Model;
import toystore.frontend.security.UserSession;

/// A controller of a page with forms. Its methods for the forms throw what is wrong, and
/// [FormAdvice] then shows the page again.
public interface FormPage {
  /// The attribute of a request with the error of its form.
  String REFUSAL = "refusal";

  /// The page as it is now.
  ///
  /// @param user null at the login
  /// @return the name of the template
  String page(@AuthenticationPrincipal UserSession user, HttpServletRequest request, Model model);
}
