/// Pages of lists, and numbers in paths.
@NullMarked
package toystore.frontend.http.paging;

import org.jspecify.annotations.NullMarked;
