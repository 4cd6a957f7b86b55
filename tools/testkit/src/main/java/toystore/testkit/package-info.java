/// Databases for tests and the lab: SQLite files, a PostgreSQL server with its programs, and one
/// with a synchronous standby.
@NullMarked
package toystore.testkit;

import org.jspecify.annotations.NullMarked;
