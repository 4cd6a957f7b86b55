package toystore.order;

import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.platform.storage.CorruptDataException;
import toystore.platform.storage.SqliteBatchStore;
import toystore.platform.storage.SqliteFile;

/// Everything that the writer of the order service changes: the order book, carts and purchases.
final class OrderBatchStore extends SqliteBatchStore<OrderCommand, OrderResult> {
  private static final Logger log = LoggerFactory.getLogger(OrderBatchStore.class);

  private final BookBatchStore book;
  private final MarketplaceBatchStore marketplace;

  OrderBatchStore(SqliteFile file, BookBatchStore book, InstantSource clock) throws SQLException {
    super(file);
    this.book = book;
    this.marketplace = new MarketplaceBatchStore(file, clock);
  }

  /// The number of purchases that were changed since the start to what the catalog has. Any thread.
  long recovered() {
    return marketplace.recovered();
  }

  @Override
  public Batch<OrderCommand, OrderResult> open() {
    return new OrderBatch(book.open(), marketplace.open());
  }

  /// One transaction.
  private final class OrderBatch extends Transaction {
    private final BookBatchStore.BookBatch bookBatch;
    private final MarketplaceBatchStore.MarketplaceBatch marketplaceBatch;

    OrderBatch(
        BookBatchStore.BookBatch bookBatch,
        MarketplaceBatchStore.MarketplaceBatch marketplaceBatch) {
      this.bookBatch = bookBatch;
      this.marketplaceBatch = marketplaceBatch;
    }

    @Override
    public OrderResult decide(OrderCommand command) throws SQLException {
      try {
        return switch (command) {
          case OrderCommand.AppendToBook append -> append(append.page());
          case OrderCommand.ChangeCart change -> marketplaceBatch.decide(change);
          case OrderCommand.EndSessions end -> marketplaceBatch.decide(end);
          case OrderCommand.BeginPurchase begin -> marketplaceBatch.decide(begin);
          case OrderCommand.RecordPurchase next -> marketplaceBatch.decide(next);
        };
      } catch (CorruptDataException e) { // affects only this command; the others continue
        log.error("{}", e.getMessage());
        return new OrderRefusal(OrderRefusal.Reason.DAMAGED, "internal error");
      }
    }

    private Checkpoint append(List<Order> page) throws SQLException {
      for (Order order : page) {
        try {
          marketplaceBatch.recover(order);
        } catch (CorruptDataException e) { // the book goes on; the audit reports the purchase
          log.error("{}", e.getMessage());
        }
      }
      return bookBatch.decide(page);
    }

    @Override
    public void write() throws SQLException {
      bookBatch.write();
      marketplaceBatch.write();
    }

    @Override
    public void publish() {
      bookBatch.publish();
      marketplaceBatch.publish();
    }
  }
}
