package toystore.bazaarlab;

import java.util.List;
import java.util.Random;

/// Stocks of the shipped catalog.
final class Stocks {
  private static final List<String> NAMES = List.of("GameStart", "FishCo", "BoarCo", "MenhirCo");

  private Stocks() {}

  static String any(Random random) {
    return NAMES.get(random.nextInt(NAMES.size()));
  }
}
