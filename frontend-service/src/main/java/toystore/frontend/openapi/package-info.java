/// What the public port answers, written for programs: `resources/openapi.yaml`, which a test holds
/// to what the controllers do, shown as JSON by [OpenApiController].
@NullMarked
package toystore.frontend.openapi;

import org.jspecify.annotations.NullMarked;
