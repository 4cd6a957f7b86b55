package toystore.order;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import toystore.platform.storage.SqliteFile;
import toystore.platform.storage.SqliteLedger;

/// Enters pages of orders into the book, each order of a series once and none skipped. The orders
/// of a page are of one series; the answer to it is the position behind it.
final class BookLedger extends SqliteLedger<List<Order>, Position> {
  private final BookStore book;
  private volatile Map<Order.Series, Position> positions;

  BookLedger(SqliteFile file) throws SQLException {
    super(file);
    this.book = new BookStore(file.writing());
    Map<Order.Series, Position> reached = new EnumMap<>(Order.Series.class);
    for (Order.Series series : Order.Series.values()) {
      reached.put(series, BookStore.position(file.writing(), series));
    }
    this.positions = reached;
    file.rollback();
  }

  /// How far the book goes. Any thread.
  Position position(Order.Series series) {
    return positions.getOrDefault(series, Position.START);
  }

  @Override
  public Batch<List<Order>, Position> open() {
    return new Open(positions);
  }

  /// One batch.
  private final class Open extends Transaction {
    private final List<Order> entered = new ArrayList<>();
    private final Map<Order.Series, Position> positions;

    Open(Map<Order.Series, Position> positions) {
      this.positions = new EnumMap<>(positions);
    }

    @Override
    public Position decide(List<Order> page) {
      Order.Series series = page.getFirst().series();
      Position reached = positions.getOrDefault(series, Position.START);
      for (Order order : page) {
        if (order.number() > reached.next()) {
          throw new IllegalStateException(
              "the book goes to %d, and %d would leave a gap"
                  .formatted(reached.next(), order.number()));
        }
        if (order.number() == reached.next()) {
          entered.add(order);
          reached = Position.after(order);
        }
      }
      positions.put(series, reached);
      return reached;
    }

    @Override
    public void write() throws SQLException {
      for (Order order : entered) {
        book.add(order);
      }
    }

    @Override
    public void publish() {
      BookLedger.this.positions = positions;
    }
  }
}
