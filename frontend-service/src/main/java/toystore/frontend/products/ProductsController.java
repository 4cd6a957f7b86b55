package toystore.frontend.products;

import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
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

/// `/products`: anyone can read; only the administrator can change.
@Controller
@RequestMapping("/products")
final class ProductsController {
  private static final int MAX_QUERY = 200;

  private final ProductClient catalog;

  ProductsController(ProductClient catalog) {
    this.catalog = catalog;
  }

  @GetMapping("/{name}")
  JsonResponse product(
      @PathVariable String name,
      @RequestHeader(name = HttpHeaders.CACHE_CONTROL, defaultValue = "") String cacheControl) {
    return catalog
        .find(name, CachePolicy.of(cacheControl))
        .orElseThrow(ApiException::productNotFound)
        .json();
  }

  @GetMapping
  JsonResponse products(
      @RequestParam(defaultValue = "") String category,
      @RequestParam(defaultValue = "") String q,
      @RequestParam(defaultValue = "") String after,
      @RequestParam(defaultValue = "") String limit) {
    if (q.codePointCount(0, q.length()) > MAX_QUERY) {
      throw ApiException.badRequest("q must be at most " + MAX_QUERY + " characters");
    }
    int size = PagedResponse.parseLimit(limit);
    return JsonResponse.ok(
        q.isBlank()
            ? catalog.list(category, after, size)
            : catalog.search(q, category, after, size));
  }

  @PostMapping
  JsonResponse add(Administrator administrator, IdempotencyKey key, JsonBody body) {
    ProductChangeResult added = catalog.add(administrator, key, NewProduct.of(body));
    return JsonResponse.created(added.product()).replayed(added.replayed());
  }

  @DeleteMapping("/{name}")
  JsonResponse remove(Administrator administrator, @PathVariable String name) {
    return JsonResponse.ok(catalog.remove(administrator, name));
  }

  @PatchMapping("/{name}")
  JsonResponse reprice(Administrator administrator, @PathVariable String name, JsonBody body) {
    long priceCents = body.allowOnly("price").priceCents("price");
    return JsonResponse.ok(catalog.reprice(administrator, name, priceCents));
  }

  @PostMapping("/{name}/restock")
  JsonResponse restock(
      Administrator administrator, IdempotencyKey key, @PathVariable String name, JsonBody body) {
    int quantity = body.allowOnly("quantity").count("quantity");
    ProductChangeResult restocked = catalog.restock(administrator, key, name, quantity);
    return JsonResponse.ok(restocked.product()).replayed(restocked.replayed());
  }
}
