/// The edge itself, the same for all paths. [EdgeValve] sees a request first and last: it gives
/// every POST its key and puts every error into the envelope, Tomcat's own too. A controller takes
/// what it needs as arguments ([ApiArgumentResolver]): the proof that the administrator asks
/// ([Administrator]), the [IdempotencyKey], the body's [JsonBody] or [Form]; and returns a
/// [HttpReply], most often an [JsonResponse]. What goes wrong on the way is an [ApiError], which
/// [ApiExceptionHandler] turns into an answer.
@NullMarked
package toystore.frontend.http;

import org.jspecify.annotations.NullMarked;
