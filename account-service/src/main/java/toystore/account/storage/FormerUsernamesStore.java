package toystore.account.storage;

import static toystore.account.storage.AccountStore.ACCOUNTS;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import toystore.account.domain.Account;
import toystore.account.domain.Role;
import toystore.account.domain.Username;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.SqliteFile;

/// The accounts whose usernames are not in the normal form of a [Username], because an earlier
/// version registered them. They keep their names, log in with them and with every other form of
/// them, and nobody can register a further form. Several of them may have one normal form: then the
/// name in another form is that of the account with the lowest id.
///
/// The migration of the schema adds a row without a normal form for each name that may need one.
/// The next start computes the forms. New accounts are never added.
public final class FormerUsernamesStore {
  public static final ChecksummedTable<FormerUsername> FORMER_USERNAMES =
      new ChecksummedTable<>(
          "former_username",
          "number",
          List.of("number", "role", "account_id", "normal_form"),
          (row, former) ->
              row.set(former.number())
                  .set(former.role().name())
                  .set(former.accountId())
                  .set(former.normalForm()),
          row ->
              new FormerUsername(
                  row.getLong("number"),
                  Role.valueOf(row.getString("role")),
                  row.getLong("account_id"),
                  row.getString("normal_form")));

  private static final String ACCOUNT = "WHERE role = ? AND id = ?";
  private static final int PAGE = 1_000;

  private final Connection writing;
  private final ChecksummedTable<FormerUsername>.Writer rows;

  /// @param normalForm null: not yet computed
  public record FormerUsername(
      long number, Role role, long accountId, @Nullable String normalForm) {}

  FormerUsernamesStore(Connection writing) throws SQLException {
    this.writing = writing;
    rows = FORMER_USERNAMES.upserts(writing, List.of("normal_form"));
  }

  /// Finds the account by the normal form of its name.
  static Optional<Account> find(Connection connection, Role role, Username username)
      throws SQLException {
    Optional<FormerUsername> former =
        FORMER_USERNAMES.row(
            connection,
            "WHERE role = ? AND normal_form = ? ORDER BY account_id",
            role.name(),
            username.normalForm());
    return former.isEmpty()
        ? Optional.empty()
        : ACCOUNTS.row(connection, ACCOUNT, role.name(), former.get().accountId());
  }

  /// Computes the forms that are missing, in transactions of [#PAGE] rows.
  void computeNormalForms(SqliteFile file) throws SQLException {
    List<FormerUsername> page = missing();
    while (!page.isEmpty()) {
      List<FormerUsername> computed = page;
      file.commit(() -> {
        for (FormerUsername former : computed) {
          computeNormalForm(former);
        }
      });
      page = missing();
    }
  }

  private List<FormerUsername> missing() throws SQLException {
    return FORMER_USERNAMES.rows(
        writing, "WHERE normal_form IS NULL ORDER BY number LIMIT ?", PAGE);
  }

  /// A name that has no other form needs no row. A damaged account is logged, and the others
  /// continue.
  private void computeNormalForm(FormerUsername former) throws SQLException {
    List<Account> account =
        ACCOUNTS.intactRows(writing, 1, ACCOUNT, former.role().name(), former.accountId());
    for (Account intact : account) {
      String normalForm = Username.ofLogin(intact.username()).normalForm();
      if (!normalForm.equals(intact.username())) {
        rows.put(
            new FormerUsername(former.number(), former.role(), former.accountId(), normalForm));
        return;
      }
    }
    try (PreparedStatement delete =
        writing.prepareStatement("DELETE FROM former_username WHERE number = ?")) {
      delete.setLong(1, former.number());
      delete.executeUpdate();
    }
  }
}
