/// Common parts of every service process. [ServiceProcess] starts a Spring Boot application with
/// its own settings file. If startup fails, it prints one line ([StartupException],
/// [UnknownSettings]). The process ends with its launcher; [ExitCode] lists the exit codes. A
/// [StoreServiceDescriptor] describes a service to other programs and has its default ports.
///
/// A service with a database imports [DatabaseConfiguration]; its [Audit] checks its invariants.
/// [SharedSettings], [ServerSettings] and [DatabaseSettings] are shared by all services; ports and
/// the addresses of peers are below the name of each service. A [PeerChannel] connects to another
/// service; [PeerResilience] limits the effect of that service's failures.
@NullMarked
package toystore.platform.service;

import org.jspecify.annotations.NullMarked;
