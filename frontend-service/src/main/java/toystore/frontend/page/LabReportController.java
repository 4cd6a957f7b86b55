package toystore.frontend.page;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import toystore.frontend.http.ApiError;
import toystore.frontend.http.Content;

/// `/lab`: the lab's report.
@Controller
final class LabReportController {
  private final LabReport lab;

  LabReportController(LabReport lab) {
    this.lab = lab;
  }

  @GetMapping("/lab")
  Content lab() {
    return lab.read().orElseThrow(() -> ApiError.notFound("lab report"));
  }
}
