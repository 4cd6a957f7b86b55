package toystore.platform.storage;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// Writes purchases of one unit of one product, with the same rows as the catalog: one update of
/// the product per batch, and one sale and one stored answer per purchase. A command is an
/// idempotency key, and its answer is the number of the sale. The SQL also runs on database servers
/// other than SQLite.
final class BuysBatchStore implements BatchStore<BuysBatchStore.Buys> {
  static final String LINES = "[[1,\"Tux\",1,2599]]";
  static final String HASH = "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9";

  private static final long STOCK = 9_000_000_000_000_000L;

  private final Connection writing;
  private final Tidying tidying;
  private final PreparedStatement product;
  private final PreparedStatement sale;
  private final PreparedStatement answer;
  private long next;

  /// Decides the purchases of a batch.
  interface Buys {
    /// @return the number of the sale
    long buy(String key);
  }

  /// A purchase.
  record Buy(String key) implements Command<Buys, Long> {
    @Override
    public Long decide(Buys batch) {
      return batch.buy(key);
    }
  }

  /// Housekeeping of the database between two batches.
  interface Tidying {
    void run() throws SQLException;
  }

  BuysBatchStore(Connection writing, Tidying tidying) throws SQLException {
    this.writing = writing;
    this.tidying = tidying;
    this.product =
        writing.prepareStatement("UPDATE benchmark_product SET quantity = ? WHERE id = 1");
    this.sale = writing.prepareStatement("INSERT INTO benchmark_sale VALUES (?, ?, ?, ?)");
    this.answer = writing.prepareStatement("INSERT INTO benchmark_answer VALUES (?, ?, ?)");
  }

  @Override
  public Batch<Buys> open() {
    return new Open();
  }

  @Override
  public void tidy() throws SQLException {
    tidying.run();
  }

  @Override
  public void probe() {}

  private final class Open implements Batch<Buys> {
    private final List<String> keys = new ArrayList<>();

    @Override
    public <R> R decide(Command<Buys, R> command) throws SQLException {
      return command.decide(this::buy);
    }

    private long buy(String key) {
      keys.add(key);
      return next + keys.size() - 1;
    }

    @Override
    public void write() throws SQLException {
      product.setLong(1, STOCK - next - keys.size());
      product.executeUpdate();
      long number = next;
      for (String key : keys) {
        sale.setLong(1, number);
        sale.setString(2, key);
        sale.setString(3, LINES);
        sale.setLong(4, System.currentTimeMillis());
        sale.addBatch();
        answer.setString(1, key);
        answer.setString(2, HASH);
        answer.setLong(3, number++);
        answer.addBatch();
      }
      sale.executeBatch();
      answer.executeBatch();
    }

    @Override
    public CommitOutcome commit() throws SQLException {
      writing.commit();
      return CommitOutcome.Done.DONE;
    }

    @Override
    public void rollback() {
      try {
        writing.rollback();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void publish() {
      next += keys.size();
    }
  }
}
