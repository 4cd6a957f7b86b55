package toystore.frontend.products;

import jakarta.validation.Valid;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.key.KeyedAnswer;
import toystore.frontend.http.paging.PageQuery;

/// `/stocks`: the products that are traded. The administrator can resume suspended trading.
@RestController
@RequestMapping("/stocks")
final class StocksController {
  private final ProductClient catalog;

  StocksController(ProductClient catalog) {
    this.catalog = catalog;
  }

  @GetMapping("/{name}")
  ProductView stock(
      @PathVariable String name,
      @RequestHeader(name = HttpHeaders.CACHE_CONTROL, defaultValue = "") String cacheControl) {
    return catalog.findStock(name, CachePolicy.of(cacheControl));
  }

  /// Returns the stock with the name `stockname` if it is given, else a page of all stocks.
  @GetMapping
  Object stocks(
      @RequestParam(required = false) @Nullable String stockname,
      PageQuery page,
      @RequestHeader(name = HttpHeaders.CACHE_CONTROL, defaultValue = "") String cacheControl) {
    if (stockname == null) {
      return catalog.listStocks(page.after(), page.size());
    }
    if (stockname.isEmpty()) {
      throw ApiException.badRequest("stockname must be a non-empty string, but it is empty");
    }
    return stock(stockname, cacheControl);
  }

  @PostMapping("/{name}/resume")
  KeyedAnswer<ProductView> resume(
      IdempotencyKey key, @PathVariable String name, @Valid @RequestBody Resumption body) {
    return catalog.resume(key, name, body.maxVolume(), null);
  }
}
