package toystore.gatling.environment;

import java.util.List;
import java.util.random.RandomGenerator;

/// The stocks of the shipped catalog.
public final class ShippedStocks {
  private static final List<String> NAMES = List.of("GameStart", "FishCo", "BoarCo", "MenhirCo");
  private static final int DEAREST_CENTS = 10_000;

  private ShippedStocks() {}

  /// A random stock, uniformly distributed.
  public static String any(RandomGenerator random) {
    return NAMES.get(random.nextInt(NAMES.size()));
  }

  /// A price in cents, up to 100.00.
  public static int anyPrice(RandomGenerator random) {
    return 1 + random.nextInt(DEAREST_CENTS);
  }
}
