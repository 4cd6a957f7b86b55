package toystore.frontend.page;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/// Links to the resources of the API that anyone can read.
///
/// @param lab link to the latest lab report; absent if there is none
@JsonInclude(JsonInclude.Include.NON_NULL)
record ApiRootLinks(
    String products,
    String stocks,
    String openapi,
    @JsonProperty("lab_report") @Nullable String lab) {
  static ApiRootLinks of(String contextPath, boolean hasLabReport) {
    return new ApiRootLinks(
        contextPath + "/products",
        contextPath + "/stocks",
        contextPath + "/openapi.json",
        hasLabReport ? contextPath + "/lab" : null);
  }
}
