/// Amounts of money in requests and answers.
@NullMarked
package toystore.frontend.http.money;

import org.jspecify.annotations.NullMarked;
