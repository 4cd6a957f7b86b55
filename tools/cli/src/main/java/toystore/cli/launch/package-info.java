/// Starts the processes of a store and knows where a running one listens. Start at [UpCommand].
///
/// [StorePlan] lists the processes ([ProcessSpec]) of a [StoreLayout] and their arguments;
/// [JavaCommandLine] makes the command line of each; [Supervisor] starts them, restarts them when
/// they die and stops them in order; [DataFolder] locks the data folder for one `up` at a time;
/// [RunningStore] finds the ports of a running store. [ModuleRunner] builds and starts the lab and
/// the torture tests.
///
/// The protocol between the launcher and a service is documented on [Supervisor].
@NullMarked
package toystore.cli.launch;

import org.jspecify.annotations.NullMarked;
