package toystore.gatling.report;

import java.util.List;

/// Figures of the network: the services that a request visits, and the number of round trips that
/// it waits for. For ids, see [Figures].
record RoundTripFigures(Figures figures) {
  Figure find(String[] words) {
    return switch (words[0]) {
      case "calls" -> calls(words);
      case "services" -> services(words[1]);
      case "slope" -> slope(words);
      case "round-trip" -> roundTrip(words);
      default -> throw Figures.wrong(String.join(" ", words), "a figure of the way");
    };
  }

  private Figure calls(String[] words) {
    Figures.RunCell runCell = figures.runCell(words[1]);
    List<String> methods = Visits.methods(runCell.measured(), runCell.cell());
    if (methods.isEmpty() || (words.length > 2 && !methods.contains(words[2]))) {
      throw new NotMeasured(String.join(" ", words), methods);
    }
    double calls =
        words.length > 2
            ? Visits.calls(runCell.measured(), runCell.cell(), words[2]).value()
            : Visits.all(runCell.measured(), runCell.cell());
    return Figure.number(Numbers.number(calls), calls);
  }

  private Figure services(String id) {
    Figures.RunCell runCell = figures.runCell(id);
    if (Visits.methods(runCell.measured(), runCell.cell()).isEmpty()) {
      throw new NotMeasured("services " + id, "no counted call");
    }
    int services = Visits.services(runCell.measured(), runCell.cell());
    return Figure.number(String.valueOf(services), services);
  }

  private Figure slope(String[] words) {
    var slope = new Slope(figures.run(words[1]), words[2], Integer.parseInt(words[3]), words[4]);
    if (!slope.isMeasured()) {
      throw new NotMeasured(String.join(" ", words), Slope.distances(figures.run(words[1])));
    }
    Estimate times = slope.times();
    return Figure.of(Numbers.number(times.value()) + " times " + Numbers.interval(times), times, 1);
  }

  private Figure roundTrip(String[] words) {
    List<Double> trips = Slope.roundTrips(figures.run(words[1]), words[2], words[3]);
    if (trips.isEmpty()) {
      throw new NotMeasured(String.join(" ", words), figures.run(words[1]).subjects());
    }
    Estimate trip = Estimate.ofMean(trips);
    return Figure.of(Numbers.millis(trip), trip, 0);
  }
}
