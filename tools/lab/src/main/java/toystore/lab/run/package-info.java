/// Runs an experiment: block after block, each with a start of every subject, and stores what the
/// load client measured.
///
/// ```
/// BlockRunner        blocks in random order of starts; repeats a block that was disturbed
///  ├─ Subject        starts what is measured, such as a store of a commit: a RunningSubject
///  ├─ LoadClient     runs the load client, a new JVM for each start
///  └─ StoredRun      the stored rows of complete blocks; an interrupted run resumes
///
/// FailureRun         the experiment `failures`: kills processes under load; has a table of its own
///  ├─ ReplicatedStore   the store that it starts
///  └─ FunctionLoad      the clients of one function
/// ```
@NullMarked
package toystore.lab.run;

import org.jspecify.annotations.NullMarked;
