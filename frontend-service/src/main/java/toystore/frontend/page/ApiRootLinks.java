package toystore.frontend.page;

/// Links to the resources of the API that anyone can read.
record ApiRootLinks(String products, String stocks, String openapi) {
  static ApiRootLinks of(String contextPath) {
    return new ApiRootLinks(
        contextPath + "/products", contextPath + "/stocks", contextPath + "/openapi.json");
  }
}
