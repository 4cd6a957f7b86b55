package toystore.lab.simulation;

import io.gatling.javaapi.core.ChainBuilder;
import java.util.Map;

/// What each client of a scenario repeats.
///
/// @param rowKinds the kind of the row in which a kind of call is counted: both kinds of a mixed
///   load have a row each
record ClientLoad(String name, ChainBuilder call, Map<String, String> rowKinds) {
  static ClientLoad of(String kind, ChainBuilder call) {
    return new ClientLoad(kind, call, Map.of(kind, kind));
  }
}
