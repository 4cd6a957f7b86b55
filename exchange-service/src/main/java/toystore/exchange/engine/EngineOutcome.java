package toystore.exchange.engine;

/// What a command created or changed, as it is after the command, or why it was refused. A refused
/// command changes nothing and uses no number.
public sealed interface EngineOutcome<T> {

  record Accepted<T>(T value) implements EngineOutcome<T> {}

  record Refused<T>(EngineRefusal reason) implements EngineOutcome<T> {}
}
