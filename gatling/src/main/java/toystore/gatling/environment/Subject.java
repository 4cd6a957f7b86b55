package toystore.gatling.environment;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// A store that is measured, or one of several ways to it.
///
/// @param name in lower case, such as `processes`
/// @param what it is, in a line
/// @param url its front door
/// @param audit asks it whether its books are right, for the body of `/audit`; absent: nobody can
/// @param metrics the pages with its services' counters; empty: its calls are not counted
/// @param roundTrips measures the ways, by name: `round-trip` between client and frontend, more
///   where there are more
/// @param beforeCell called before each of its cells
/// @param about more to be stored of it, by key
public record Subject(
    String name,
    String what,
    URI url,
    Optional<Supplier<String>> audit,
    List<URI> metrics,
    Supplier<Map<String, Duration>> roundTrips,
    Runnable beforeCell,
    Map<String, String> about) {

  /// One that needs nothing done before it is called, at the distance its address tells.
  static Subject at(
      String name, String what, URI url, Optional<Supplier<String>> audit, List<URI> metrics) {
    return new Subject(
        name,
        what,
        url,
        audit,
        metrics,
        () -> Map.of("round-trip", StoreHttpClient.roundTrip(url)),
        () -> {},
        Map.of());
  }

  /// The same store under another name.
  public Subject as(String other, String whatElse) {
    return new Subject(other, whatElse, url, audit, metrics, roundTrips, beforeCell, about);
  }

  /// The same with one thing more to be done before each of its cells.
  Subject withBeforeCell(Runnable more) {
    Runnable both =
        () -> {
          beforeCell.run();
          more.run();
        };
    return new Subject(name, what, url, audit, metrics, roundTrips, both, about);
  }

  /// The same with one thing more to be stored of it.
  Subject withAbout(String key, String value) {
    var more = new java.util.HashMap<>(about);
    more.put(key, value);
    return new Subject(name, what, url, audit, metrics, roundTrips, beforeCell, more);
  }
}
