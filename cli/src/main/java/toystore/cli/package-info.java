/// What stands behind `./toystore`.
///
/// Start at [ToystoreCommand], which lists the commands; each `…Command` reads its options and
/// hands over.
///
/// - `up`: [StorePlan] says which processes the store consists of ([Part]) and how each is told;
///   [JvmCommands] makes the command line of each; [Supervisor] starts them, keeps them running and
///   stops them in order; [DataFolder] is what only one `up` may have at a time.
/// - `backup`, `restore`: [Backup] is the folder of copies, [BackupStore] makes them and looks into
///   them, [Restore] puts them in place so that it may be broken off anywhere.
/// - `import`: [CatalogAdminClient] asks the catalog what a CSV file changes.
/// - `load`: [ClosedLoopLoad] is the closed loop, [Answers] checks each answer, [HttpStoreTarget]
///   is the store over HTTP.
///
/// What the launcher and a service owe each other is written on [Supervisor].
@NullMarked
package toystore.cli;

import org.jspecify.annotations.NullMarked;
