package toystore.frontend.accounts;

/// The JSON view of the opinions of a seller or an item.
public record RatingView(long thumbsUp, long thumbsDown) {}
