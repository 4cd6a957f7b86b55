/// Health and audit on the management port. [PeerClient] reports whether a backend service is
/// ready. [AuditEndpoint] checks the store's invariants, on request and periodically. A new backend
/// service needs another [PeerClient] bean.
@NullMarked
package toystore.frontend.audit;

import org.jspecify.annotations.NullMarked;
