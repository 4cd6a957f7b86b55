/// HTTP handling that all paths share. [ErrorValve] is the outermost part: it adds an idempotency
/// key to every answer to a POST and formats every error, including Tomcat's own. [RequestLimiter]
/// limits concurrent requests, and [BodyFilter] reads request bodies. A controller takes a record
/// as `@Valid @RequestBody` and returns a record; [JsonBodyHandler] reads and writes them. Errors
/// are thrown as [ApiException][toystore.frontend.http.error.ApiException], and
/// [ApiExceptionHandler] turns them into responses. Who may call what is in
/// [toystore.frontend.security].
@NullMarked
package toystore.frontend.http;

import org.jspecify.annotations.NullMarked;
