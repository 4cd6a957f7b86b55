/// HTTP handling that all paths share. [ErrorValve] is the outermost part: it adds an idempotency
/// key to every answer to a POST and formats every error, including Tomcat's own. [RequestLimiter]
/// limits concurrent requests, and [BodyFilter] reads request bodies. A controller takes a record
/// as `@Valid @RequestBody`, which Spring reads with the strict [Json], and returns a record, or an
/// [Answer] if it may be a stored one. [ApiArgumentResolver] resolves other parameters, such as
/// [Administrator] and [IdempotencyKey]. Errors are thrown as [ApiException]. [ApiExceptionHandler]
/// turns them into responses and puts answers into the envelope; [InvalidRequest] says what is
/// wrong with a body.
@NullMarked
package toystore.frontend.http;

import org.jspecify.annotations.NullMarked;
