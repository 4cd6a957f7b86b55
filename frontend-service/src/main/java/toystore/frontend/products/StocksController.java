package toystore.frontend.products;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import toystore.frontend.http.Administrator;
import toystore.frontend.http.ApiError;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.JsonBody;
import toystore.frontend.http.JsonResponse;

/// `/stocks`: the same products under the path that traders use. The administrator can resume
/// suspended trading.
@Controller
@RequestMapping("/stocks")
final class StocksController {
  private final ProductClient catalog;

  StocksController(ProductClient catalog) {
    this.catalog = catalog;
  }

  @GetMapping("/{name}")
  JsonResponse stock(@PathVariable String name) {
    return JsonResponse.ok(catalog.find(name).orElseThrow(() -> ApiError.notFound("stock")));
  }

  @GetMapping
  JsonResponse stockByQuery(@RequestParam(defaultValue = "") String stockname) {
    if (stockname.isEmpty()) {
      throw ApiError.badRequest("stockname must be a non-empty string, but it is missing or empty");
    }
    return stock(stockname);
  }

  @PostMapping("/{name}/resume")
  JsonResponse resume(
      Administrator administrator, IdempotencyKey key, @PathVariable String name, JsonBody body) {
    ProductChangeResult resumed =
        catalog.resume(administrator, key, name, body.optionalAmount("max_volume"));
    return JsonResponse.ok(resumed.product()).replayed(resumed.replayed());
  }
}
