/// The load client for one terminal. Start at [LoadCommand].
///
/// [StoreLoad] prepares a load of one kind and sends it with [toystore.clients.load], where
/// `store.json` has the requests and the checks of their responses. [TrainCommand] sends a few
/// requests of each kind, so that the startup caches have their classes.
@NullMarked
package toystore.cli.load;

import org.jspecify.annotations.NullMarked;
