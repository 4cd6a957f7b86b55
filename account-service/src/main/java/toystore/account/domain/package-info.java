/// Buyers, sellers, sessions and ratings. Start at [AccountCommand]; [AccountDecider] decides.
/// [Sessions] and [Ratings] answer queries from memory. Plain Java.
@NullMarked
package toystore.account.domain;

import org.jspecify.annotations.NullMarked;
