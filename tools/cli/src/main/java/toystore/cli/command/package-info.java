/// What all commands share. Start at [CommandLines], which adds help to a command and prints its
/// failures; a [CommandRefusal] says why a command is not executed. [ShutdownHook] ends a command
/// on Ctrl-C, [DurableFiles] writes files that survive a power failure.
@NullMarked
package toystore.cli.command;

import org.jspecify.annotations.NullMarked;
