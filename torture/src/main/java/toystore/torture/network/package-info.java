/// The store behind a network that cuts, delays and holds what is said, and clients that repeat,
/// duplicate, reorder and abandon requests.
///
/// ```
///  Customer ──▶ link ──▶ frontend ──▶ link ──▶ order ──▶ link ──▶ catalog
///     │                      └─────────▶ link ──────────────────────▶ ▲
///     ▼
///  History ──▶ Judge        what follows from the promises directly
///          └─▶ Porcupine    whether one shop that does one thing at a time could have answered so
/// ```
///
/// [LossyNetwork] has links of its own ([FaultyLink]), [Toxiproxy] those of that program. A round
/// of either is a [StormyDay].
@NullMarked
package toystore.torture.network;

import org.jspecify.annotations.NullMarked;
