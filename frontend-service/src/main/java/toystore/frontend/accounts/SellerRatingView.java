package toystore.frontend.accounts;

/// The JSON view of a seller's rating.
///
/// @param rating the sum over the seller's items
/// @param itemsSold units of captured purchases
record SellerRatingView(RatingView rating, long itemsSold) {}
