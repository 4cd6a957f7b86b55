/// For tests and tools, never for a service: what starts a store, talks to it and disturbs it.
///
/// ```
/// StoreProcesses     a store as processes, each of which may be killed and started again
/// HttpTestClient     one client of each protocol: HTTP, HTTP byte by byte (RawClient),
/// GrpcTestClient     gRPC,
/// LineTestClient     the line protocol
/// FaultProxy         a TCP proxy that delays, loses and cuts what passes
/// RepeatingBuyers    clients that repeat a request with its key until it is answered, and record
///                    each answer on disk; HttpBuyers are those of the REST API
/// Conditions, Ports, Project   waiting, free ports, the project's folder
/// ```
@NullMarked
package toystore.testkit;

import org.jspecify.annotations.NullMarked;
