package toystore.frontend.accounts;

import com.fasterxml.jackson.annotation.JsonProperty;

/// The JSON view of a seller's rating.
///
/// @param rating the sum over the seller's items
/// @param itemsSold units of captured purchases
record SellerRatingView(RatingView rating, @JsonProperty("items_sold") long itemsSold) {}
