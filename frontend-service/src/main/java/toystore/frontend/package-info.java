/// The HTTP frontend, the only service that browsers and other HTTP clients reach. The package
/// [toystore.frontend.http] handles what all requests share: bodies, idempotency keys and errors.
/// [toystore.frontend.security] says who may call what. Each feature has a package with a
/// controller and a gRPC client, such as [toystore.frontend.products] and
/// [toystore.frontend.orders]; [toystore.frontend.page] has the HTML pages.
/// [toystore.frontend.openapi] serves the OpenAPI document, [toystore.frontend.audit] health and
/// audit on the management port.
@NullMarked
package toystore.frontend;

import org.jspecify.annotations.NullMarked;
