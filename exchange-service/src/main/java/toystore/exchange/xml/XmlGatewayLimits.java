package toystore.exchange.xml;

import java.time.Duration;

/// @param connections open; further ones wait in the kernel's backlog
/// @param idle maximum wait for a connection's first request, and for a request to arrive
/// @param keepAlive maximum wait for another request after an answer; 0: the connection is closed
///   unless another request was already received
/// @param silence maximum time without a byte in the middle of a request, and in which a client
///   reads nothing of its answer
/// @param requestBytes maximum length of a request
/// @param commands maximum number that wait for the writer
/// @param deadline maximum time without a result for a request that waits for results
/// @param bufferBytes heap for requests and answers that are larger than a few kilobytes
/// @param lengthLine whether each answer has a length line before it
record XmlGatewayLimits(
    int connections,
    Duration idle,
    Duration keepAlive,
    Duration silence,
    int requestBytes,
    int commands,
    Duration deadline,
    long bufferBytes,
    boolean lengthLine) {}
