/// Runs all services of the store in one JVM. [StoreApplication] starts each service in its own
/// Spring context. The services call each other over in-process gRPC.
@NullMarked
package toystore.store;

import org.jspecify.annotations.NullMarked;
