package toystore.account.storage;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import toystore.account.domain.AccountUnitOfWork;
import toystore.account.domain.Feedback;
import toystore.account.domain.ItemRating;
import toystore.platform.storage.ChecksummedTable;

/// Opinions and the items' ratings on disk.
final class FeedbackStore {
  static final ChecksummedTable<Feedback> FEEDBACK =
      new ChecksummedTable<>(
          "feedback",
          "number",
          List.of("number", "item_id", "buyer_id", "up", "time"),
          (row, feedback) ->
              row.set(feedback.number())
                  .set(feedback.itemId())
                  .set(feedback.buyerId())
                  .set(feedback.up())
                  .set(feedback.time().toEpochMilli()),
          row ->
              new Feedback(
                  row.getLong("number"),
                  row.getLong("item_id"),
                  row.getLong("buyer_id"),
                  row.getBoolean("up"),
                  Instant.ofEpochMilli(row.getLong("time"))));

  static final ChecksummedTable<ItemRating> RATINGS =
      new ChecksummedTable<>(
          "item_rating",
          "item_id",
          List.of("item_id", "seller_id", "thumbs_up", "thumbs_down", "change"),
          (row, rating) ->
              row.set(rating.itemId())
                  .set(rating.sellerId())
                  .set(rating.thumbsUp())
                  .set(rating.thumbsDown())
                  .set(rating.change()),
          row ->
              new ItemRating(
                  row.getLong("item_id"),
                  row.getLong("seller_id"),
                  row.getLong("thumbs_up"),
                  row.getLong("thumbs_down"),
                  row.getLong("change")));

  private FeedbackStore() {}

  static Optional<Feedback> find(Connection connection, AccountUnitOfWork.Opinion opinion)
      throws SQLException {
    return FEEDBACK.row(
        connection, "WHERE item_id = ? AND buyer_id = ?", opinion.itemId(), opinion.buyerId());
  }

  static List<ItemRating> ratings(Connection connection) throws SQLException {
    return RATINGS.rows(connection, "");
  }

  static long nextNumber(Connection connection) throws SQLException {
    return FEEDBACK.row(connection, "ORDER BY number DESC").map(it -> it.number() + 1).orElse(1L);
  }
}
