/// The account service: buyers, sellers, sessions and ratings of the marketplace.
@NullMarked
package toystore.account;

import org.jspecify.annotations.NullMarked;
