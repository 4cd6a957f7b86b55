/// The HTTP frontend, the only service that browsers and other HTTP clients reach. The package
/// [toystore.frontend.http] handles what all requests share: bodies, idempotency keys, the
/// administrator's token and errors. Each feature has a package with a controller and a gRPC
/// client: [toystore.frontend.products], [toystore.frontend.orders], and [toystore.frontend.page]
/// for the HTML pages. [toystore.frontend.openapi] serves the OpenAPI document.
/// [toystore.frontend.audit] serves health and audit on the management port.
@NullMarked
package toystore.frontend;

import org.jspecify.annotations.NullMarked;
