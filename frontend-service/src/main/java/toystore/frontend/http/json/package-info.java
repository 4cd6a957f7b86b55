/// The JSON of requests and answers: what a body may be, and what is wrong with one.
@NullMarked
package toystore.frontend.http.json;

import org.jspecify.annotations.NullMarked;
