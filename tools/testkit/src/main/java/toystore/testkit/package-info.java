/// Databases for tests and for the lab: SQLite files, and PostgreSQL servers with their programs.
@NullMarked
package toystore.testkit;

import org.jspecify.annotations.NullMarked;
