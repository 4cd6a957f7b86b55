/// The program behind `./toystore`. [ToystoreCommand] lists the commands. Each `…Command` reads its
/// options and delegates the work to the other classes of its package:
///
/// ```
/// launch    up, status, torture, lab, bench: processes, ports, the data folder
/// data      backup, restore, move, import
/// shop      shop, exchange: the REST API for a person
/// load      load, train: sends requests and checks the responses
/// command   what all commands share
/// ```
///
/// `load` depends on `shop` and `launch`, `data` on `launch`, and all on `command`.
@NullMarked
package toystore.cli;

import org.jspecify.annotations.NullMarked;
