package toystore.torture.network;

import java.io.IOException;

/// Links between the parts of a store, with troubles on them.
interface Network extends AutoCloseable {
  /// Makes a link.
  ///
  /// @param to the port on this machine it leads to
  /// @return the port on this machine it begins at
  int link(String name, int to) throws IOException;

  /// Begins the troubles.
  void rage() throws IOException;

  /// Ends the troubles. What was held is delivered or lost when this returns; links go on working.
  void calm() throws IOException, InterruptedException;

  /// How many troubles there were, and of which kind.
  String troubles();

  @Override
  void close() throws IOException;
}
