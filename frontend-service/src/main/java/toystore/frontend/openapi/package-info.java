/// The OpenAPI document of the public port. It is written in `resources/openapi.yaml` and served as
/// JSON by [OpenApiController]. A test compares it with the controllers.
@NullMarked
package toystore.frontend.openapi;

import org.jspecify.annotations.NullMarked;
