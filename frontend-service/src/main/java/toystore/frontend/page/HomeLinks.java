package toystore.frontend.page;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/// Where things are, for programs.
///
/// @param lab the latest report of the lab; absent: there is none
@JsonInclude(JsonInclude.Include.NON_NULL)
record HomeLinks(
    String products,
    String stocks,
    String orders,
    String openapi,
    @JsonProperty("lab_report") @Nullable String lab) {
  static HomeLinks of(boolean hasLabReport) {
    return new HomeLinks(
        "/products", "/stocks", "/orders", "/openapi.json", hasLabReport ? "/lab" : null);
  }
}
