package toystore.order;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import toystore.platform.storage.SqliteFile;

/// The part of the [OrderBatchStore] that writes pages of orders to the order book. Each order of a
/// series is written exactly once, in number order, without gaps. All orders of a page belong to
/// one series. The result of a page is the checkpoint after its last order.
final class BookBatchStore {
  private final OrderBookStore book;
  private volatile Map<Order.Series, Checkpoint> positions;

  BookBatchStore(SqliteFile file) throws SQLException {
    this.book = new OrderBookStore(file.writing());
    Map<Order.Series, Checkpoint> position = new EnumMap<>(Order.Series.class);
    for (Order.Series series : Order.Series.values()) {
      position.put(series, OrderBookStore.position(file.writing(), series));
    }
    this.positions = position;
    file.rollback();
  }

  /// The end of the series in the book. Any thread.
  Checkpoint position(Order.Series series) {
    return positions.getOrDefault(series, Checkpoint.START);
  }

  BookBatch open() {
    return new BookBatch(positions);
  }

  /// The pages of one transaction. It is used by the writer thread only.
  final class BookBatch {
    private final List<Order> newOrders = new ArrayList<>();
    private final Map<Order.Series, Checkpoint> positions;

    private BookBatch(Map<Order.Series, Checkpoint> positions) {
      this.positions = new EnumMap<>(positions);
    }

    Checkpoint decide(List<Order> page) {
      Order.Series series = page.getFirst().series();
      Checkpoint position = positions.getOrDefault(series, Checkpoint.START);
      for (Order order : page) {
        if (order.number() > position.next()) {
          throw new IllegalStateException(
              String.format(
                  Locale.ROOT,
                  "next sale for the order book must have number %d, got %d",
                  position.next(),
                  order.number()));
        }
        if (order.number() == position.next()) {
          newOrders.add(order);
          position = Checkpoint.after(order);
        }
      }
      positions.put(series, position);
      return position;
    }

    void write() throws SQLException {
      for (Order order : newOrders) {
        book.add(order);
      }
    }

    void publish() {
      BookBatchStore.this.positions = positions;
    }
  }
}
