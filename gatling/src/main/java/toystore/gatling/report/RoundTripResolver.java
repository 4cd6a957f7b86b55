package toystore.gatling.report;

import java.util.List;

/// Figures of the network: the services that a request visits, and the number of round trips that
/// it waits for. For ids, see [ReportedValueResolver].
record RoundTripResolver(ReportedValueResolver figures) {
  ReportedValue find(String[] words) {
    return switch (words[0]) {
      case "calls" -> calls(words);
      case "services" -> services(words[1]);
      case "slope" -> slope(words);
      case "round-trip" -> roundTrip(words);
      default -> throw ReportedValueResolver.wrong(String.join(" ", words), "a figure of the way");
    };
  }

  private ReportedValue calls(String[] words) {
    ReportedValueResolver.RunCell runCell = figures.runCell(words[1]);
    List<String> methods = ServiceCallsSection.methods(runCell.measured(), runCell.cell());
    if (methods.isEmpty() || (words.length > 2 && !methods.contains(words[2]))) {
      throw new NotMeasuredException(String.join(" ", words), methods);
    }
    double calls =
        words.length > 2
            ? ServiceCallsSection.calls(runCell.measured(), runCell.cell(), words[2]).value()
            : ServiceCallsSection.all(runCell.measured(), runCell.cell());
    return ReportedValue.number(Numbers.number(calls), calls);
  }

  private ReportedValue services(String id) {
    ReportedValueResolver.RunCell runCell = figures.runCell(id);
    if (ServiceCallsSection.methods(runCell.measured(), runCell.cell()).isEmpty()) {
      throw new NotMeasuredException("services " + id, "no counted call");
    }
    int services = ServiceCallsSection.services(runCell.measured(), runCell.cell());
    return ReportedValue.number(String.valueOf(services), services);
  }

  private ReportedValue slope(String[] words) {
    var slope = new Slope(figures.run(words[1]), words[2], Integer.parseInt(words[3]), words[4]);
    if (!slope.isMeasured()) {
      throw new NotMeasuredException(
          String.join(" ", words), Slope.distances(figures.run(words[1])));
    }
    Estimate times = slope.times();
    return ReportedValue.of(
        Numbers.number(times.value()) + " times " + Numbers.interval(times), times, 1);
  }

  private ReportedValue roundTrip(String[] words) {
    List<Double> trips = Slope.roundTrips(figures.run(words[1]), words[2], words[3]);
    if (trips.isEmpty()) {
      throw new NotMeasuredException(String.join(" ", words), figures.run(words[1]).subjects());
    }
    Estimate trip = Estimate.ofMean(trips);
    return ReportedValue.of(Numbers.millis(trip), trip, 0);
  }
}
