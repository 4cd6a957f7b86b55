/// What operators ask on the management port: whether the services behind are ready ([PeerClient]),
/// and whether the store's invariants hold ([AuditEndpoint]). A new peer is a [PeerClient] more.
@NullMarked
package toystore.frontend.audit;

import org.jspecify.annotations.NullMarked;
