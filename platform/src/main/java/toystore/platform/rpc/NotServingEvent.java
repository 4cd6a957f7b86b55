package toystore.platform.rpc;

/// This process must not answer calls, because another one may have taken over: its watches end, so
/// that their callers look for the process that serves. Published ten times a second, for those
/// that begin meanwhile. Listeners must not block.
///
/// @param reason for people
public record NotServingEvent(String reason) {}
