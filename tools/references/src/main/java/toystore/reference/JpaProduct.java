package toystore.reference;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.math.BigDecimal;

/// A row of the table of products.
@Entity
@Table(name = "product")
@SuppressWarnings("NullAway.Init") // JPA sets the fields
class JpaProduct {
  @Id private String name;
  private BigDecimal price;
  private long quantity;

  protected JpaProduct() {}

  JpaProduct(String name, BigDecimal price, long quantity) {
    this.name = name;
    this.price = price;
    this.quantity = quantity;
  }

  String name() {
    return name;
  }

  BigDecimal price() {
    return price;
  }

  long quantity() {
    return quantity;
  }

  void take(long units) {
    quantity -= units;
  }
}
