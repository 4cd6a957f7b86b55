package toystore.frontend.products;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import java.util.Collections;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.Units;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.money.Repricing;
import toystore.frontend.http.paging.PageQuery;
import toystore.frontend.http.paging.PagedResponse;

/// `/products`, and `/stocks`, which are those that are traded: anyone can read; only the
/// administrator can change them, and resume suspended trading.
@RestController
final class ProductsController {
  private static final int MAX_QUERY = 200;

  private final ProductClient catalog;

  ProductsController(ProductClient catalog) {
    this.catalog = catalog;
  }

  @GetMapping("/products/{name}")
  ProductView product(@PathVariable String name, HttpServletRequest request) {
    return catalog.find(name, isFresh(request)).orElseThrow(ApiException::productNotFound);
  }

  private static boolean isFresh(HttpServletRequest request) {
    return Collections.list(request.getHeaders(HttpHeaders.CACHE_CONTROL)).stream()
        .flatMap(it -> Stream.of(it.split(",", -1)))
        .anyMatch(it -> it.strip().equalsIgnoreCase("no-cache"));
  }

  @GetMapping("/products")
  PagedResponse<ProductView> products(
      @RequestParam(defaultValue = "") String category,
      @RequestParam(defaultValue = "") String q,
      PageQuery page) {
    if (q.codePointCount(0, q.length()) > MAX_QUERY) {
      throw ApiException.badRequest("q must be at most " + MAX_QUERY + " characters");
    }
    return catalog.list(q, category, page.after(), page.size());
  }

  @PostMapping("/products")
  @ResponseStatus(HttpStatus.CREATED)
  ProductView add(IdempotencyKey key, @Valid @RequestBody NewProduct product) {
    return catalog.add(key, product);
  }

  @DeleteMapping("/products/{name}")
  ProductView remove(@PathVariable String name) {
    return catalog.remove(name);
  }

  @PatchMapping("/products/{name}")
  ProductView reprice(@PathVariable String name, @Valid @RequestBody Repricing change) {
    return catalog.reprice(name, change);
  }

  @PostMapping("/products/{name}/restock")
  ProductView restock(
      IdempotencyKey key, @PathVariable String name, @Valid @RequestBody Units added) {
    return catalog.restock(key, name, added.quantity());
  }

  @GetMapping("/stocks/{name}")
  ProductView stock(@PathVariable String name, HttpServletRequest request) {
    return catalog.findStock(name, isFresh(request));
  }

  /// Returns the stock with the name `stockname` if it is given, else a page of all stocks.
  @GetMapping("/stocks")
  Object stocks(
      @RequestParam(required = false) @Nullable String stockname,
      PageQuery page,
      HttpServletRequest request) {
    if (stockname == null) {
      return catalog.listStocks(page.after(), page.size());
    }
    if (stockname.isEmpty()) {
      throw ApiException.badRequest("stockname must be a non-empty string, but it is empty");
    }
    return stock(stockname, request);
  }

  @PostMapping("/stocks/{name}/resume")
  ProductView resume(
      IdempotencyKey key, @PathVariable String name, @Valid @RequestBody Resumption body) {
    return catalog.resume(key, name, body.maxVolume(), null);
  }
}
