package toystore.frontend.exchange;

/// Whose feed it is.
///
/// @param name such as `buyer 7`
/// @param sessionId the feed ends with this session; 0: the administrator, who has none
record FeedUser(String name, long sessionId) {
  static final FeedUser ADMINISTRATOR = new FeedUser("administrator", 0);
}
