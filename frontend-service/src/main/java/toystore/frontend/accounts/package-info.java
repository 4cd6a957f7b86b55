/// Accounts of buyers and sellers: registration, login, logout and ratings. [AccountClient] calls
/// the account service.
@NullMarked
package toystore.frontend.accounts;

import org.jspecify.annotations.NullMarked;
