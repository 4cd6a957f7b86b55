/// Runs an experiment: block after block, each with a start of every subject, and stores what was
/// measured.
///
/// ```
/// BlockRunner        blocks in random order of starts; repeats a block that was disturbed
///  ├─ StartRun       sends the load of one start, in a JVM of its own that also starts the
///  │   └─ Subject       store: a RunningSubject
///  └─ StoredRun      the stored rows of complete blocks; an interrupted run resumes
///
/// FailureRun         the experiment `failures`: kills processes under load; has a table of its own
///  ├─ ReplicatedStore   the store that it starts
///  └─ FunctionLoad      the clients of one function
/// ```
@NullMarked
package toystore.lab.run;

import org.jspecify.annotations.NullMarked;
