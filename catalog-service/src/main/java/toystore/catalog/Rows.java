package toystore.catalog;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import toystore.catalog.Sale.SaleLine;

/// What stands in a column as JSON: `[[product id, name, quantity, price in cents], …]` for the
/// lines of a sale, and one array for a product, whose owner stands last: one that was written
/// before there were owners ends before it.
final class Rows {
  private static final JsonMapper JSON = JsonMapper.shared();

  private Rows() {}

  static String json(List<SaleLine> lines) {
    ArrayNode all = JSON.createArrayNode();
    for (SaleLine line : lines) {
      all.addArray()
          .add(line.productId())
          .add(line.name())
          .add(line.quantity())
          .add(line.priceCents());
    }
    return all.toString();
  }

  static List<SaleLine> lines(String json) {
    List<SaleLine> lines = new ArrayList<>();
    for (JsonNode line : JSON.readTree(json)) {
      lines.add(
          new SaleLine(
              line.get(0).asLong(),
              line.get(1).asString(),
              line.get(2).asLong(),
              line.get(3).asLong()));
    }
    return lines;
  }

  static String json(Product product) {
    return JSON.createArrayNode()
        .add(product.id())
        .add(product.name())
        .add(product.category())
        .add(product.priceCents())
        .add(product.quantity())
        .add(product.volume())
        .add(product.maxVolume())
        .add(product.suspended())
        .add(product.owner())
        .toString();
  }

  static Product product(String json) {
    JsonNode row = JSON.readTree(json);
    return new Product(
        row.get(0).asLong(),
        orNull(row.get(8)),
        row.get(1).asString(),
        row.get(2).asString(),
        row.get(3).asLong(),
        row.get(4).asLong(),
        row.get(5).asLong(),
        orNull(row.get(6)),
        row.get(7).asBoolean());
  }

  private static @Nullable Long orNull(@Nullable JsonNode value) {
    return value == null || value.isNull() ? null : value.asLong();
  }
}
