/// The REST edge: the only service a browser or curl reaches. A request comes in by
/// [toystore.frontend.http] (bodies, keys, the administrator's token, errors), is answered by a
/// controller of its feature ([toystore.frontend.products], [toystore.frontend.orders],
/// [toystore.frontend.page] for people in front of a browser), which asks a service by its client.
/// [toystore.frontend.openapi] tells programs what there is. What operators ask is in
/// [toystore.frontend.audit].
@NullMarked
package toystore.frontend;

import org.jspecify.annotations.NullMarked;
