package toystore.frontend.carts;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;

/// The JSON view of a completed purchase.
///
/// @param units units of all lines
/// @param replayed whether this is the stored answer to an earlier request with the same key
public record PurchaseConfirmation(
    String message, @JsonProperty("items_purchased") long units, @JsonIgnore boolean replayed) {}
