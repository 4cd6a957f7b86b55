package toystore.frontend.page;

import org.jspecify.annotations.Nullable;

/// Links to the resources of the API that anyone can read.
///
/// @param labReport link to the latest lab report; absent if there is none
record ApiRootLinks(String products, String stocks, String openapi, @Nullable String labReport) {
  static ApiRootLinks of(String contextPath, boolean hasLabReport) {
    return new ApiRootLinks(
        contextPath + "/products",
        contextPath + "/stocks",
        contextPath + "/openapi.json",
        hasLabReport ? contextPath + "/lab" : null);
  }
}
