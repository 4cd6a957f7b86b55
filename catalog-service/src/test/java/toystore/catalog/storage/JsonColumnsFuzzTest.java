package toystore.catalog.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import toystore.catalog.domain.Item;
import toystore.catalog.domain.Product;
import toystore.catalog.domain.ProductSpec;

/// Checks that a value read from a JSON column equals the value that was written.
class JsonColumnsFuzzTest {
  @FuzzTest
  void aProductIsReadAsItWasWritten(FuzzedDataProvider any) {
    var product =
        new Product(
            any.consumeLong(),
            any.consumeBoolean() ? null : item(any),
            any.consumeString(100),
            any.consumeString(50),
            any.consumeLong(1, ProductSpec.PRICE_LIMIT_CENTS),
            any.consumeLong(0, Product.STOCK_LIMIT),
            any.consumeLong(0, Long.MAX_VALUE),
            any.consumeBoolean() ? null : (Long) any.consumeLong(),
            any.consumeBoolean());
    assertThat(JsonColumns.product(JsonColumns.json(product))).isEqualTo(product);
  }

  private static Item item(FuzzedDataProvider any) {
    return new Item(
        any.consumeLong(1, Long.MAX_VALUE),
        any.consumeInt(0, Integer.MAX_VALUE),
        any.consumeBoolean() ? List.of() : List.of("Lego", "熊"),
        any.pickValue(Item.Condition.values()));
  }

  @Test
  void aProductOfBeforeThereWereOwnersIsTheShops() {
    assertThat(JsonColumns.product("[3,\"Tux\",\"\",2599,4,5,null,false]"))
        .isEqualTo(new Product(3, null, "Tux", "", 2599, 4, 5, null, false));
  }
}
