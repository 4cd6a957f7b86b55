/// The account service over gRPC. Start at [AccountRpc]; the [PasswordHasher] hashes passwords on a
/// few threads, in the order of [FairOrder].
@NullMarked
package toystore.account.rpc;

import org.jspecify.annotations.NullMarked;
