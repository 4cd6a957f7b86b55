/// Databases for tests: SQLite files and a PostgreSQL server with its programs.
@NullMarked
package toystore.testkit;

import org.jspecify.annotations.NullMarked;
