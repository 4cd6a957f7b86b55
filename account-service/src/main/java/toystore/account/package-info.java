/// The account service: buyers, sellers, sessions and ratings of the marketplace.
///
/// ```
/// rpc  AccountRpc
///   │ a token or a rating   Sessions, Ratings: in memory, no lock, no disk
///   │ a Username            readers: accounts are on disk only
///   │ a password            PasswordHasher: bcrypt on few threads; before it, FailedLogins
///   ▼
/// domain   an AccountCommand decides on an AccountUnitOfWork
/// storage  AccountBatches writes and publishes
/// ```
///
/// A token is 256 random bits. Memory and disk have only its SHA-256 (`TokenHash`). The last use of
/// a session is in memory and is stored every 30 s, so after a crash a session may end that much
/// earlier.
@NullMarked
package toystore.account;

import org.jspecify.annotations.NullMarked;
