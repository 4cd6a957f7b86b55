package toystore.cli.load;

import static toystore.common.RootLocale.format;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;
import toystore.clients.load.CallRecorder;

/// What the result of a load must reach, for a build that fails otherwise.
final class LoadThresholds {
  private static final double MICROS_PER_MILLI = 1e3;
  private static final int P99 = 99;

  @Option(
      names = "--max-p99",
      paramLabel = "MS",
      description = "Fail if the 99th percentile of the latency is above this many milliseconds.")
  private @Nullable BigDecimal maxP99;

  @Option(
      names = "--min-rate",
      paramLabel = "N",
      description = "Fail if there are fewer correct responses per second.")
  private @Nullable BigDecimal minRate;

  @Option(
      names = "--max-errors",
      paramLabel = "N[%]",
      converter = ErrorBudget.Converter.class,
      description =
          "Fail if more requests, or a larger percentage of them, got a wrong response, a refusal or"
              + " none (default: any number of refusals, and no wrong response).")
  private @Nullable ErrorBudget maxErrors;

  /// A number of requests, or a percentage of them.
  record ErrorBudget(String text, BigDecimal value, boolean isPercentage) {
    static final class Converter implements ITypeConverter<ErrorBudget> {
      private static final Pattern FORM =
          Pattern.compile("([0-9]{1,9}|[0-9]{1,3}([.][0-9]{1,6})?%)");

      @Override
      public ErrorBudget convert(String text) {
        if (!FORM.matcher(text).matches()) {
          throw new TypeConversionException(
              "expected a number of requests or a percentage, such as 5 or 0.1%; got " + text);
        }
        boolean isPercentage = text.endsWith("%");
        return new ErrorBudget(text, new BigDecimal(text.replace("%", "")), isPercentage);
      }
    }

    boolean allows(long errors, long requests) {
      return isPercentage
          ? errors * 100.0 <= value.doubleValue() * requests
          : errors <= value.longValueExact();
    }
  }

  /// A line for each threshold that the result does not reach, with the measured and the allowed
  /// value.
  List<String> exceededBy(StoreLoad.Result result) {
    var lines = new ArrayList<String>();
    CallRecorder calls = result.calls();
    long wrong = calls.failures();
    long errors = wrong + calls.refusals();
    long requests = calls.correct() + errors;
    if (calls.correct() == 0) {
      lines.add(
          format("none of %d requests got the expected response; expected at least one", requests));
    }
    if (maxErrors == null && wrong > 0) {
      lines.add(format("%d wrong responses of %d; allowed: 0", wrong, requests));
    }
    if (maxErrors != null && !maxErrors.allows(errors, requests)) {
      lines.add(
          format(
              "%d errors of %d requests; --max-errors allows %s",
              errors, requests, maxErrors.text()));
    }
    double p99 = calls.allLatencies().getValueAtPercentile(P99) / MICROS_PER_MILLI;
    if (maxP99 != null && p99 > maxP99.doubleValue()) {
      lines.add(format("p99 is %.3f ms; --max-p99 allows %s ms", p99, maxP99.toPlainString()));
    }
    double rate = calls.correct() / result.seconds();
    if (minRate != null && rate < minRate.doubleValue()) {
      lines.add(
          format(
              "%.1f correct responses per second; --min-rate requires %s",
              rate, minRate.toPlainString()));
    }
    lines.replaceAll("failed: "::concat);
    return lines;
  }
}
