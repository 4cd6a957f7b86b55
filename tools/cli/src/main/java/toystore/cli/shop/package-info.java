/// The marketplace and the exchange for a person, over the REST API.
///
/// [ShopCommand] and [ExchangeClientCommand] have a method for each command, [ShopClient] repeats a
/// POST whose answer is lost, [ShopFolder] keeps the login.
@NullMarked
package toystore.cli.shop;

import org.jspecify.annotations.NullMarked;
