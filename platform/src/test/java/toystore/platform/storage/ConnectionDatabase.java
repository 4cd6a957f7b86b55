package toystore.platform.storage;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// A database that is only the connection of a test.
record ConnectionDatabase(Connection queryConnection) implements Database {
  @Override
  public void add(WriterStatement statement) throws SQLException {
    statement.prepare().executeUpdate();
  }

  @Override
  public void flush() {}

  @Override
  public void commit() throws SQLException {
    queryConnection.commit();
  }

  @Override
  public void rollback() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void probe() {}

  @Override
  public void tidy() {}

  @Override
  public boolean tryReconnect(Exception failure) {
    return false;
  }

  @Override
  public boolean tryBecomeWriter() {
    return true;
  }

  @Override
  public @Nullable String notReady() {
    return null;
  }

  @Override
  public @Nullable String notServing() {
    return null;
  }

  @Override
  public Dialect dialect() {
    throw new UnsupportedOperationException();
  }

  @Override
  public ReadPool readers(int threads, int queueBound) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void load(StatementBlock state) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() throws SQLException {
    queryConnection.close();
  }
}
