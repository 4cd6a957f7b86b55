/// [ExchangeBatches] writes what a batch changed; [OrderAnswerStore] reads what clients ask for;
/// [ExchangeAudit] checks the rows.
@NullMarked
package toystore.exchange.storage;

import org.jspecify.annotations.NullMarked;
