package toystore.reference;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/// A row of the table of orders. Its number is that of a sequence, of which Hibernate fetches 50
/// numbers at a time.
@Entity
@Table(name = "orders")
class JpaOrder {
  @Id
  @GeneratedValue(strategy = GenerationType.SEQUENCE)
  private @Nullable Long number;

  private String product = "";
  private long quantity;

  protected JpaOrder() {}

  JpaOrder(String product, long quantity) {
    this.product = product;
    this.quantity = quantity;
  }

  @Nullable Long number() {
    return number;
  }
}
