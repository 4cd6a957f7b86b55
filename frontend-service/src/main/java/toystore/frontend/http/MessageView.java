package toystore.frontend.http;

/// The JSON view of a change that returns nothing else.
public record MessageView(String message) {}
