package toystore.platform.storage;

import static toystore.common.RootLocale.format;

import java.sql.SQLException;

/// What a PostgreSQL server that runs may say to the processes of a store: how an administrator
/// causes and ends it, and how a process words it.
enum ServerRefusal {
  NO_LOGIN("not permitted to log in", "ALTER ROLE shop NOLOGIN", "ALTER ROLE shop LOGIN"), // 28000
  PASSWORD( // 28P01
      "password authentication failed",
      "ALTER ROLE shop PASSWORD 'other'",
      "ALTER ROLE shop PASSWORD 'secret'"),
  NO_CONNECTIONS( // 55000
      "not currently accepting connections",
      "ALTER DATABASE numbers ALLOW_CONNECTIONS false",
      "ALTER DATABASE numbers ALLOW_CONNECTIONS true"),
  RENAMED( // 3D000
      "database \"numbers\" does not exist",
      "ALTER DATABASE numbers RENAME TO \"Čísla\"",
      "ALTER DATABASE \"Čísla\" RENAME TO numbers"),
  CONNECTION_LIMIT( // 53300
      "too many connections",
      "ALTER ROLE shop CONNECTION LIMIT 0",
      "ALTER ROLE shop CONNECTION LIMIT -1"),
  READ_ONLY( // 25006
      "default_transaction_read_only is on",
      "ALTER ROLE shop SET default_transaction_read_only = on",
      "ALTER ROLE shop RESET default_transaction_read_only"),
  NO_PERMISSION( // 42501
      "permission denied for table writer",
      "REVOKE UPDATE ON numbers.writer FROM shop",
      "GRANT UPDATE ON numbers.writer TO shop"),
  DISK_FULL("could not extend file", failing("53100", "could not extend file"), working()),
  CANCELLED(
      "due to statement timeout",
      failing("57014", "canceling statement due to statement timeout"),
      working());

  final String words;
  private final String impose;
  private final String lift;

  ServerRefusal(String words, String impose, String lift) {
    this.words = words;
    this.impose = impose;
    this.lift = lift;
  }

  /// The server fails with this error when a disk is full, or a time limit is reached.
  private static String failing(String sqlState, String message) {
    return format(
        """
        CREATE FUNCTION numbers.fail() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION '%s' USING ERRCODE = '%s'; END $$;
        CREATE TRIGGER fail BEFORE UPDATE ON numbers.writer EXECUTE FUNCTION numbers.fail()
        """,
        message, sqlState);
  }

  private static String working() {
    return "DROP FUNCTION numbers.fail() CASCADE";
  }

  /// Whether it also affects the sessions that there are.
  boolean affectsSessions() {
    return impose.contains("numbers.");
  }

  void impose() throws SQLException {
    ShopDatabase.administer(database(), impose);
  }

  /// Ends the sessions of the store; those that follow are refused.
  void imposeAndEndSessions() throws SQLException {
    if (affectsSessions() || this == RENAMED) { // not possible beside a session
      NO_LOGIN.impose();
      ShopDatabase.endSessions();
      impose();
      NO_LOGIN.lift();
    } else {
      impose();
      ShopDatabase.endSessions();
    }
  }

  void lift() throws SQLException {
    ShopDatabase.administer(database(), lift);
  }

  private String database() {
    return affectsSessions() ? "numbers" : "postgres";
  }
}
