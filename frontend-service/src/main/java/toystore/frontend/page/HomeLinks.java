package toystore.frontend.page;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/// Links to the resources of the API that anyone can read.
///
/// @param lab link to the latest lab report; absent if there is none
@JsonInclude(JsonInclude.Include.NON_NULL)
record HomeLinks(
    String products,
    String stocks,
    String openapi,
    @JsonProperty("lab_report") @Nullable String lab) {
  static HomeLinks of(boolean hasLabReport) {
    return new HomeLinks("/products", "/stocks", "/openapi.json", hasLabReport ? "/lab" : null);
  }
}
