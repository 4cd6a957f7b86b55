/// Services that kill themselves at one point of a buy. Each is the real service with one more
/// bean, [CrashPoints].
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
/// ```
@NullMarked
package toystore.torture.crash;

import org.jspecify.annotations.NullMarked;
