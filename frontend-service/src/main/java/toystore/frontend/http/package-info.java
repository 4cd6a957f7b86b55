/// HTTP handling that all paths share. [ErrorValve] is the outermost part: it adds an idempotency
/// key to every answer to a POST and formats every error, including Tomcat's own. [RequestLimiter]
/// limits concurrent requests, and [BodyFilter] reads request bodies. [ApiArgumentResolver]
/// resolves the parameters of controller methods: [Administrator], [IdempotencyKey], and the body
/// as [JsonBody] or [FormBody]. A controller returns an [HttpReply], usually a [JsonResponse].
/// Errors are thrown as [ApiException], and [ApiExceptionHandler] turns them into responses.
@NullMarked
package toystore.frontend.http;

import org.jspecify.annotations.NullMarked;
