package toystore.frontend.products;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import toystore.frontend.http.Administrator;
import toystore.frontend.http.Answer;
import toystore.frontend.http.ApiError;
import toystore.frontend.http.Fields;
import toystore.frontend.http.IdempotencyKey;

/// `/stocks`: products under the name that traders know them by; the administrator lifts their
/// suspensions.
@Controller
@RequestMapping("/stocks")
final class StocksController {
  private final CatalogClient catalog;

  StocksController(CatalogClient catalog) {
    this.catalog = catalog;
  }

  @GetMapping("/{name}")
  Answer stock(@PathVariable String name) {
    return Answer.ok(catalog.find(name).orElseThrow(() -> ApiError.notFound("stock")));
  }

  @GetMapping
  Answer stockByQuery(@RequestParam(defaultValue = "") String stockname) {
    if (stockname.isEmpty()) {
      throw ApiError.badRequest("stockname must be a text, got nothing");
    }
    return stock(stockname);
  }

  @PostMapping("/{name}/resume")
  Answer resume(Administrator by, IdempotencyKey key, @PathVariable String name, Fields fields) {
    Changed resumed = catalog.resume(by, key, name, fields.optionalAmount("max_volume"));
    return Answer.ok(resumed.product()).replayed(resumed.replayed());
  }
}
