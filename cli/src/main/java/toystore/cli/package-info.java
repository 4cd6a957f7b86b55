/// The program behind `./toystore`.
///
/// Start at [ToystoreCommand], which lists the commands. Each `…Command` reads its options and
/// delegates the work to the other classes.
///
/// - `up`: [StorePlan] lists the processes of the store ([ProcessSpec]) and their arguments;
///   [JavaCommandLine] makes the command line of each; [Supervisor] starts them, restarts them when
///   they die and stops them in order; [DataFolder] locks the data folder for one `up` at a time.
/// - `backup`, `restore`: [Backup] is a folder with copies of the databases, [BackupDatabase] makes
///   and reads the copies, [Restore] puts them in place so that it can be interrupted at any point.
/// - `import`: [CatalogAdminClient] asks the catalog which products a CSV file changes.
/// - `shop`: [ShopCommand] has a method for each command, [ShopShell] is the interactive session,
///   [ShopClient] repeats a POST whose answer is lost, [ShopFolder] keeps the login.
/// - `load`: [ClosedLoopLoad] sends requests in a closed loop, [ResponseCheck] checks each
///   response, [StoreLoad] is the store over HTTP, [MarketplaceLoad] the marketplace.
///
/// The protocol between the launcher and a service is documented on [Supervisor].
@NullMarked
package toystore.cli;

import org.jspecify.annotations.NullMarked;
