package toystore.frontend.page;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import toystore.frontend.http.ApiError;
import toystore.frontend.http.Content;

/// Style, script and icon of the pages, and the lab's report.
@Controller
final class AssetsController {
  private final ObjectProvider<Assets> assets;
  private final LabReport lab;

  AssetsController(ObjectProvider<Assets> assets, LabReport lab) {
    this.assets = assets;
    this.lab = lab;
  }

  @GetMapping("/assets/{hash}/{file}")
  Content asset(@PathVariable String hash, @PathVariable String file) {
    return assets
        .getObject()
        .at("/assets/" + hash + "/" + file)
        .orElseThrow(() -> ApiError.notFound("asset"));
  }

  @GetMapping("/lab")
  Content lab() {
    return lab.read().orElseThrow(() -> ApiError.notFound("lab report"));
  }
}
