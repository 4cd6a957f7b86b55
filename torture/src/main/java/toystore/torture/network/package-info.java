/// The store behind a network that cuts, delays and holds what is said, and clients that repeat,
/// duplicate, reorder and abandon requests.
///
/// ```
///  HistoryClient ──▶ proxy ──▶ frontend ──▶ proxy ──▶ order ──▶ proxy ──▶ catalog
///     │                           └───────▶ proxy ──────────────────────────▶ ▲
///     ▼
///  History ──▶ HistoryChecker   what follows from the promises directly
///          └─▶ Porcupine        whether one shop that does one thing at a time could have answered so
/// ```
///
/// Start at [LossyNetwork].
@NullMarked
package toystore.torture.network;

import org.jspecify.annotations.NullMarked;
