package toystore.platform.service;

import io.grpc.protobuf.services.HealthStatusManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.grpc.server.health.GrpcServerHealth;
import org.springframework.context.ApplicationEventPublisher;
import toystore.platform.storage.Database;
import toystore.platform.storage.DiskFailedException;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.UnusableFileException;

/// Makes a started process the one that serves: waits until it is the writer of the database, loads
/// the state, and starts the writer. Until then its ports are open, liveness is up, readiness is
/// down, the health of gRPC is NOT_SERVING, and calls are refused.
final class StateLoader implements ApplicationRunner, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StateLoader.class);
  private static final Duration POLL = Duration.ofMillis(100);

  /// How long a start waits for a server: about as long as a failover takes.
  static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Duration RETRY_INTERVAL = Duration.ofMillis(500);

  private final Database database;
  private final SingleWriter<?> writer;
  private final ApplicationEventPublisher events;
  private final GrpcServerHealth health;
  private final HealthStatusManager status;
  private volatile boolean closed;

  StateLoader(
      Database database,
      SingleWriter<?> writer,
      ApplicationEventPublisher events,
      GrpcServerHealth health,
      HealthStatusManager status) {
    this.database = database;
    this.writer = writer;
    this.events = events;
    this.health = health;
    this.status = status;
  }

  /// Aborts the start if the database cannot be used. Ends the process with [ExitCode#DISK_FAILED]
  /// if an fsync failed.
  @Override
  public synchronized void run(ApplicationArguments arguments) {
    try {
      check(database::check, PATIENCE, () -> closed);
      if (tryBecomeWriter()) {
        database.load(this::load);
        health.update(status); // callers learn at once that this process serves
      }
    } catch (UnusableFileException e) {
      throw new StartupException(String.valueOf(e.getMessage()), e);
    } catch (DiskFailedException e) {
      ServiceProcess.exitAfterFatalError(e);
    }
  }

  /// Checks again while the server is away, and says once that it waits.
  ///
  /// @throws StartupException if it stays away
  /// @throws UnusableFileException if it refuses
  static void check(Runnable check, Duration patience, BooleanSupplier closed) {
    long end = System.nanoTime() + patience.toNanos();
    boolean said = false;
    while (!closed.getAsBoolean()) {
      try {
        check.run();
        return;
      } catch (UnusableFileException e) {
        if (!e.mayPass()) {
          throw e;
        }
        if (System.nanoTime() > end) {
          throw new StartupException(String.valueOf(e.getMessage()));
        }
        if (!said) {
          log.warn("waiting up to {} s: {}", patience.toSeconds(), e.getMessage());
          System.err.println( // for the launcher, see SupervisedProcess
              "waiting up to " + patience.toSeconds() + " s: " + e.getMessage());
          said = true;
        }
      }
      pause(RETRY_INTERVAL);
    }
  }

  /// @return false: the service stops
  private boolean tryBecomeWriter() {
    boolean waited = false;
    while (!closed) {
      if (database.tryBecomeWriter()) {
        if (waited) {
          log.info("active: this process uses {}", database);
        }
        return true;
      }
      if (!waited) {
        log.info("not active: {}: {}", database, database.notReady());
        waited = true;
      }
      pause(POLL);
    }
    return false;
  }

  private void load() throws SQLException {
    writer.start();
    events.publishEvent(new StateLoadedEvent());
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      throw new StartupException("interrupted while waiting for the database", e);
    }
  }

  /// Ends the wait, before the database is closed.
  @Override
  public void close() {
    closed = true;
    awaitEnd();
  }

  private synchronized void awaitEnd() {
    // run() is synchronized
  }
}
