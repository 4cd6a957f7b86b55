package toystore.platform.service;

/// The committed state of the service is loaded, and its writer runs. Calls are still refused until
/// all listeners have returned.
public record StateLoadedEvent() {}
