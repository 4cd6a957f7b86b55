/// The floors of `./toystore bench`: programs that do one part of the store's work and nothing
/// else. They run with the libraries and JVM options of the services.
///
/// ```
/// MvcFloor    an empty Spring MVC controller
/// NettyFloor  an HTTP answer without a framework
/// GrpcFloor   an empty unary call
/// ```
@NullMarked
package toystore.lab.floor;

import org.jspecify.annotations.NullMarked;
