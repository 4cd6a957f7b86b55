package toystore.frontend.http.json;

/// The JSON view of a change that returns nothing else.
public record MessageView(String message) {}
