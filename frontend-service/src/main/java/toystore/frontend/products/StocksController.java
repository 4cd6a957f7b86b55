package toystore.frontend.products;

import java.util.Optional;
import java.util.OptionalLong;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import toystore.frontend.http.Administrator;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.JsonBody;
import toystore.frontend.http.JsonResponse;
import toystore.frontend.http.PagedResponse;

/// `/stocks`: the products that are traded. The administrator can resume suspended trading.
@Controller
@RequestMapping("/stocks")
final class StocksController {
  private final ProductClient catalog;

  StocksController(ProductClient catalog) {
    this.catalog = catalog;
  }

  @GetMapping("/{name}")
  JsonResponse stock(
      @PathVariable String name,
      @RequestHeader(name = HttpHeaders.CACHE_CONTROL, defaultValue = "") String cacheControl) {
    return catalog.findStock(name, CachePolicy.of(cacheControl)).json();
  }

  /// Returns the stock with the name `stockname` if it is given, else a page of all stocks.
  @GetMapping
  JsonResponse stocks(
      @RequestParam Optional<String> stockname,
      @RequestParam(defaultValue = "") String after,
      @RequestParam(defaultValue = "") String limit,
      @RequestHeader(name = HttpHeaders.CACHE_CONTROL, defaultValue = "") String cacheControl) {
    if (stockname.filter(String::isEmpty).isPresent()) {
      throw ApiException.badRequest("stockname must be a non-empty string, but it is empty");
    }
    return stockname
        .map(name -> stock(name, cacheControl))
        .orElseGet(
            () -> JsonResponse.ok(catalog.listStocks(after, PagedResponse.parseLimit(limit))));
  }

  @PostMapping("/{name}/resume")
  JsonResponse resume(
      Administrator administrator, IdempotencyKey key, @PathVariable String name, JsonBody body) {
    OptionalLong maxVolume = body.allowOnly("max_volume").optionalAmount("max_volume");
    ProductChangeResult resumed = catalog.resume(administrator, key, name, maxVolume);
    return JsonResponse.ok(resumed.product()).replayed(resumed.replayed());
  }
}
