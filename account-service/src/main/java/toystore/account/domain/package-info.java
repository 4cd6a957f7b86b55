/// Buyers, sellers, sessions and ratings. Start at [AccountCommand], which decides on an
/// [AccountUnitOfWork]. [Sessions] and [Ratings] answer queries from memory. Plain Java.
@NullMarked
package toystore.account.domain;

import org.jspecify.annotations.NullMarked;
