package toystore.frontend.accounts;

import com.fasterxml.jackson.annotation.JsonProperty;

/// The JSON view of the opinions of a seller or an item.
public record RatingView(
    @JsonProperty("thumbs_up") long thumbsUp, @JsonProperty("thumbs_down") long thumbsDown) {}
