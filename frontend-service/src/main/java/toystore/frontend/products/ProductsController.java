package toystore.frontend.products;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import toystore.frontend.http.Administrator;
import toystore.frontend.http.Answer;
import toystore.frontend.http.ApiError;
import toystore.frontend.http.Fields;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.Page;

/// `/products`: anyone may look, the administrator changes.
@Controller
@RequestMapping("/products")
final class ProductsController {
  private static final int MAX_QUERY = 200;

  private final CatalogClient catalog;

  ProductsController(CatalogClient catalog) {
    this.catalog = catalog;
  }

  @GetMapping("/{name}")
  Answer product(@PathVariable String name) {
    return Answer.ok(catalog.find(name).orElseThrow(() -> ApiError.notFound("product")));
  }

  @GetMapping
  Answer products(
      @RequestParam(defaultValue = "") String category,
      @RequestParam(defaultValue = "") String q,
      @RequestParam(defaultValue = "") String after,
      @RequestParam(defaultValue = "") String limit) {
    if (q.codePointCount(0, q.length()) > MAX_QUERY) {
      throw ApiError.badRequest("q must be at most " + MAX_QUERY + " characters");
    }
    int size = Page.limit(limit);
    return Answer.ok(
        q.isBlank()
            ? catalog.list(category, after, size)
            : catalog.search(q, category, after, size));
  }

  @PostMapping
  Answer add(Administrator by, IdempotencyKey key, Fields fields) {
    Changed added = catalog.add(by, key, NewProduct.of(fields));
    return Answer.created(added.product()).replayed(added.replayed());
  }

  @DeleteMapping("/{name}")
  Answer remove(Administrator by, @PathVariable String name) {
    return Answer.ok(catalog.remove(by, name));
  }

  @PatchMapping("/{name}")
  Answer reprice(Administrator by, @PathVariable String name, Fields fields) {
    return Answer.ok(catalog.reprice(by, name, fields.priceCents("price")));
  }

  @PostMapping("/{name}/restock")
  Answer restock(Administrator by, IdempotencyKey key, @PathVariable String name, Fields fields) {
    Changed restocked = catalog.restock(by, key, name, fields.count("quantity"));
    return Answer.ok(restocked.product()).replayed(restocked.replayed());
  }
}
