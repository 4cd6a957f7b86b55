/// Services of usual designs, which the lab compares the store with, and PostgreSQL for the store.
///
/// ```
/// JpaStore         one Spring Boot service with JPA and PostgreSQL: queries and buys
/// LockedBazaar     the stock bazaar in memory, its threads synchronized by a lock
/// PostgresProgram  PostgreSQL, alone or with a synchronous standby
/// ```
@NullMarked
package toystore.reference;

import org.jspecify.annotations.NullMarked;
