package toystore.frontend.items;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;

/// The JSON view of an item that was put on sale.
///
/// @param replayed whether this is the stored answer to an earlier request with the same key
public record AddedItem(
    String message, @JsonProperty("item_id") long itemId, @JsonIgnore boolean replayed) {}
