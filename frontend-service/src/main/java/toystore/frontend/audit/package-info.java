/// What operators ask on the management port: whether the services behind are ready ([Peer]), and
/// whether the store's invariants hold ([AuditEndpoint]). A new peer is a [Peer] more.
@NullMarked
package toystore.frontend.audit;

import org.jspecify.annotations.NullMarked;
