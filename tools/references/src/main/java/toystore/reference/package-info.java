/// Services of usual designs and floors, programs that do one part of the store's work and nothing
/// else: the lab compares the store with both.
///
/// ```
/// JpaStore         one Spring Boot service with JPA and PostgreSQL: queries and buys
/// LockedBazaar     the stock bazaar in memory, its threads synchronized by a lock
/// MvcFloor         an empty Spring MVC controller
/// NettyFloor       an HTTP answer without a framework
/// GrpcFloor        an empty unary call
/// ```
@NullMarked
package toystore.reference;

import org.jspecify.annotations.NullMarked;
