/// Services that kill themselves at one point of a buy. Each is the real service, started by
/// another `main` that decorates its batch store or its gRPC calls.
///
/// ```
/// frontend          order service                    catalog
///    │ PlaceOrder ──▶ │ Sell ─────────────────────────▶ │ decide
///    │                │                                 ✗ BEFORE_COMMIT
///    │                │                                 │ commit
///    │                │                                 ✗ BEFORE_PUBLISHING
///    │                │                                 │ publish
///    │                │                                 ✗ BEFORE_ANSWER
///    │                │ ◀────────────────────────────────│
///    │                ✗ BEFORE_ANSWER                   │
///    │ ◀──────────────│                                 │
///    ✗ BEFORE_ANSWER
/// ```
@NullMarked
package toystore.torture.crash;

import org.jspecify.annotations.NullMarked;
