package toystore.frontend.products;

import jakarta.validation.Valid;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.Units;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.key.KeyedAnswer;
import toystore.frontend.http.money.Repricing;
import toystore.frontend.http.paging.PageQuery;
import toystore.frontend.http.paging.PagedResponse;

/// `/products`: anyone can read; only the administrator can change.
@RestController
@RequestMapping("/products")
final class ProductsController {
  private static final int MAX_QUERY = 200;

  private final ProductClient catalog;

  ProductsController(ProductClient catalog) {
    this.catalog = catalog;
  }

  @GetMapping("/{name}")
  ProductView product(
      @PathVariable String name,
      @RequestHeader(name = HttpHeaders.CACHE_CONTROL, defaultValue = "") String cacheControl) {
    return catalog
        .find(name, CachePolicy.of(cacheControl))
        .orElseThrow(ApiException::productNotFound);
  }

  @GetMapping
  PagedResponse<ProductView> products(
      @RequestParam(defaultValue = "") String category,
      @RequestParam(defaultValue = "") String q,
      PageQuery page) {
    if (q.codePointCount(0, q.length()) > MAX_QUERY) {
      throw ApiException.badRequest("q must be at most " + MAX_QUERY + " characters");
    }
    return catalog.list(q, category, page.after(), page.size());
  }

  @PostMapping
  @ResponseStatus(HttpStatus.CREATED)
  KeyedAnswer<ProductView> add(IdempotencyKey key, @Valid @RequestBody NewProduct product) {
    return catalog.add(key, product);
  }

  @DeleteMapping("/{name}")
  ProductView remove(@PathVariable String name) {
    return catalog.remove(name);
  }

  @PatchMapping("/{name}")
  ProductView reprice(@PathVariable String name, @Valid @RequestBody Repricing change) {
    return catalog.reprice(name, change);
  }

  @PostMapping("/{name}/restock")
  KeyedAnswer<ProductView> restock(
      IdempotencyKey key, @PathVariable String name, @Valid @RequestBody Units added) {
    return catalog.restock(key, name, added.quantity());
  }
}
