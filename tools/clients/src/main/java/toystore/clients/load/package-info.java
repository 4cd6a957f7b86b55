/// Sends load, checks each response and records latencies. Requests are data: see [Scenario].
///
/// ```
/// ScenarioSetUp        calls what a scenario needs first, such as logins
/// ClosedLoop           clients that wait for each response before they send again
/// OpenLoop             requests at random times of a given rate, however many are outstanding
///  └─ CallSource       the next request of a kind and the check of its response
///      └─ LoadConnection   HTTP, gRPC, line protocol or XML, by the scheme of the URL
/// CallRecorder         latencies, refusals and wrong responses
/// ```
@NullMarked
package toystore.clients.load;

import org.jspecify.annotations.NullMarked;
