package toystore.cli.launch;

import java.io.IOException;

/// The page that shows the running store, sends load to it and injects faults.
public interface ConsolePage extends AutoCloseable {
  /// A process was started, for the first time or again. Called by the supervisor's thread.
  void onStarted(ProcessSpec part, Process process);

  /// Begins to answer requests, when the store is ready.
  ///
  /// @return the URL, which contains the token that every request needs
  String serve() throws IOException;

  /// Ends its loads and faults, and stops to answer requests.
  @Override
  void close();
}
