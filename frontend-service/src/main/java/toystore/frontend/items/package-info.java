/// Items that sellers offer. [ItemClient] calls the catalog. Ratings of items come from the account
/// service.
@NullMarked
package toystore.frontend.items;

import org.jspecify.annotations.NullMarked;
