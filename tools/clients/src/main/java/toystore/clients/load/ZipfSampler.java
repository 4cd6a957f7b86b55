package toystore.clients.load;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/// Draws values of a list by Zipf's law with exponent 1: the probability of the n-th most popular
/// value is proportional to 1 ÷ n. Equal random numbers draw equal values. Any thread.
final class ZipfSampler {
  private final List<String> values;
  private final int first;
  private final double[] cumulative; // the sum of 1 ÷ n up to each rank

  /// @param values the most popular one first
  /// @param rotated share of the list that comes last instead of first, 0 to 1
  ZipfSampler(List<String> values, double rotated) {
    this.values = values;
    this.first = (int) (rotated * values.size());
    this.cumulative = new double[values.size()];
    double sum = 0;
    for (int rank = 0; rank < cumulative.length; rank++) {
      sum += 1.0 / (rank + 1);
      cumulative[rank] = sum;
    }
  }

  String next(RandomGenerator random) {
    double drawn = random.nextDouble() * cumulative[cumulative.length - 1];
    int found = Arrays.binarySearch(cumulative, drawn);
    int rank = found < 0 ? -found - 1 : found;
    return values.get((first + rank) % values.size());
  }
}
