/// The load client for one terminal. Start at [LoadCommand].
///
/// [ClosedLoopLoad] sends requests in a closed loop or at a fixed pace to a [LoadTarget], such as
/// [StoreLoad], the store over HTTP, or [MarketplaceLoad]; [ResponseCheck] checks each response.
/// [TrainCommand] sends a few requests of each kind, so that the startup caches have their classes.
@NullMarked
package toystore.cli.load;

import org.jspecify.annotations.NullMarked;
