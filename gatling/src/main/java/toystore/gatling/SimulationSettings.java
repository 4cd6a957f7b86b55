package toystore.gatling;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/// What `-Dname=value` sets. A wrong value ends the run before the first request, with what may be
/// given.
final class SimulationSettings {
  private static final int MAX_CLIENTS = 1_000;
  private static final int MAX_NUMBER = 1_000_000;

  private SimulationSettings() {}

  /// A number of calls or milliseconds.
  static int number(String name, int unlessStated) {
    String stated = System.getProperty(name);
    return stated == null
        ? unlessStated
        : number(name, stated, stated, "a whole number", MAX_NUMBER);
  }

  /// The numbers of clients, `-Dclients=1,2,5`.
  static List<Integer> clients(List<Integer> unlessStated) {
    String stated = System.getProperty("clients");
    if (stated == null) {
      return unlessStated;
    }
    String expected = "different whole numbers with commas, such as 1,2,5,";
    List<Integer> clients =
        Stream.of(stated.split(",", -1))
            .map(it -> number("clients", stated, it.strip(), expected, MAX_CLIENTS))
            .toList();
    if (clients.stream().distinct().count() < clients.size()) {
      throw wrong("clients", stated, expected, MAX_CLIENTS);
    }
    return clients;
  }

  /// What determines the order of the numbers of clients: `-Dseed`, otherwise a random number.
  static int seed() {
    return number("seed", ThreadLocalRandom.current().nextInt(1, MAX_NUMBER));
  }

  static String url() {
    String stated = System.getProperty("url", "http://127.0.0.1:8080");
    if (!stated.matches("https?://[^/?#\\s]+") || URI.create(stated).getHost() == null) {
      throw new IllegalArgumentException(
          "-Durl: expected a URL such as http://127.0.0.1:8080, without a path, got \""
              + stated
              + "\"");
    }
    return stated;
  }

  private static int number(String name, String stated, String text, String expected, int max) {
    if (!text.matches("[1-9][0-9]{0,6}") || Integer.parseInt(text) > max) {
      throw wrong(name, stated, expected, max);
    }
    return Integer.parseInt(text);
  }

  private static IllegalArgumentException wrong(
      String name, String stated, String expected, int max) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "-D%s: expected %s from 1 to %d, got \"%s\"",
            name,
            expected,
            max,
            stated));
  }
}
