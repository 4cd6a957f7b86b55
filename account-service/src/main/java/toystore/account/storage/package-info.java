/// The account service's tables. [AccountBatches] writes and publishes the changes of a batch;
/// [SessionSweeper] deletes ended sessions; [AccountAudit] checks the rows.
@NullMarked
package toystore.account.storage;

import org.jspecify.annotations.NullMarked;
