/// What every service's process agrees on. [ServiceProcess] starts a Spring Boot application under
/// its own name, refuses to start with one plain line ([StartRefused], [UnknownSettings]), ends
/// with its launcher, and knows its exit codes ([ExitCode]). [StoreSettings] and [CallSettings] are
/// the settings that all services share. A [Channel] is the way to another service, [Resilience]
/// keeps that one's trouble out.
@NullMarked
package toystore.service;

import org.jspecify.annotations.NullMarked;
