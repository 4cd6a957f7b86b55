package toystore.order;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import toystore.writer.Ledger;
import toystore.writer.SqliteFile;

/// Enters pages of orders into the book, each order once and none skipped. The answer to a page is
/// the position behind it.
final class BookLedger implements Ledger<List<Order>, Position>, AutoCloseable {
  private final SqliteFile file;
  private final BookStore book;
  private volatile Position position;

  BookLedger(SqliteFile file) throws SQLException {
    this.file = file;
    this.book = new BookStore(file.writing());
    this.position = BookStore.position(file.writing());
    file.rollback();
  }

  /// How far the book goes. Any thread.
  Position position() {
    return position;
  }

  @Override
  public Batch<List<Order>, Position> open() {
    return new Open(position);
  }

  @Override
  public void tidy() throws SQLException {
    file.tidy();
  }

  @Override
  public void probe() throws SQLException {
    file.probe();
  }

  @Override
  public void close() throws SQLException {
    book.close();
  }

  /// One batch.
  private final class Open implements Batch<List<Order>, Position> {
    private final List<Order> entered = new ArrayList<>();
    private Position reached;

    Open(Position reached) {
      this.reached = reached;
    }

    @Override
    public Position decide(List<Order> page) {
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
      return reached;
    }

    @Override
    public void write() throws SQLException {
      for (Order order : entered) {
        book.add(order);
      }
    }

    @Override
    public void commit() throws SQLException {
      file.commit();
    }

    @Override
    public void rollback() {
      file.rollback();
    }

    @Override
    public void publish() {
      position = reached;
    }
  }
}
