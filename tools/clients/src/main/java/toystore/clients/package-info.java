/// Test tools that start a store, send requests to it and inject faults. Services never use them.
///
/// ```
/// StoreProcesses     a store as processes, each of which can be killed and restarted
/// StoreHttpClient     a client of HTTP
/// GrpcTestClient     a client of gRPC
/// RawClient          a client of HTTP, the line protocol or XML, byte by byte
/// MarketplaceClient  a buyer or seller of the REST API under /api
/// FaultProxy         a TCP proxy that delays, loses and cuts bytes
/// load               the load engine of `./toystore load` and the lab
/// ClientThreads      clients that send requests until they are stopped
/// RepeatingBuyers    buyers that record each acknowledgement on disk; HttpBuyers use the REST API
/// Conditions, FreePorts, Project   waiting, free ports, the project folder
/// ```
///
/// StoreHttpClient.decided repeats a request with its key until it is answered otherwise than 429,
/// 503 or 504: buyers, MarketplaceClient and trials use it.
@NullMarked
package toystore.clients;

import org.jspecify.annotations.NullMarked;
