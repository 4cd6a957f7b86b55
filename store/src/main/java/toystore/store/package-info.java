/// The whole store in one JVM: [StoreApplication] starts each service in a Spring context of its
/// own, and they speak gRPC without a network between them.
@NullMarked
package toystore.store;

import org.jspecify.annotations.NullMarked;
