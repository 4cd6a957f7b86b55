/// What every service's process agrees on. [ServiceProcess] starts a Spring Boot application under
/// its own name, refuses to start with one plain line ([StartupException], [UnknownSettings]), ends
/// with its launcher, and knows its exit codes ([ExitCode]). A [ServiceDescriptor] says what a
/// service is to others; its ports come from there. [DatabaseConfiguration] is what a service with
/// a database imports; its [Audit] proves its invariants. [StoreSettings] and [CallSettings] are
/// the settings that all services share, [ServerSettings] and [DatabaseSettings] those that each
/// has below its own name. A [PeerChannel] is the way to another service, [Resilience] keeps that
/// one's trouble out.
@NullMarked
package toystore.platform.service;

import org.jspecify.annotations.NullMarked;
