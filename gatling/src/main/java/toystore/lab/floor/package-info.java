/// The floors of `./toystore bench`: programs that do one part of the store's work and nothing
/// else. They run with the libraries and JVM options of the services.
///
/// ```
/// MvcFloor        an empty Spring MVC controller
/// NettyFloor      an HTTP answer without a framework
/// GrpcFloor       an empty unary call                  ┐
/// Operation       a record written and synced to disk  ├ called by FloorLoad
/// CommitOperation a record committed to SQLite         ┘
/// ```
@NullMarked
package toystore.lab.floor;

import org.jspecify.annotations.NullMarked;
