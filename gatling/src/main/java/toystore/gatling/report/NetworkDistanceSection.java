package toystore.gatling.report;

import java.util.ArrayList;
import java.util.List;
import toystore.gatling.result.Cell;

/// The effect of distance: the measured round trips, and how many of them a call waits for.
record NetworkDistanceSection(ReportData evidence) implements Section {
  @Override
  public String heading() {
    return "What distance multiplies";
  }

  @Override
  public String text() {
    if (Slope.distances(evidence.measured()).isEmpty()) {
      return "";
    }
    return trips().markdown()
        + "\n"
        + slopes().markdown()
        + """

        The number of round trips per request is the slope of the mean latency over the measured round trip. It is computed for each repetition, over the subjects that differ only in that distance.
        """;
  }

  private TextTable trips() {
    RunByCell measured = evidence.measured();
    var rows = new ArrayList<List<String>>();
    for (String subject : measured.subjects()) {
      String distance = Slope.distance(measured, subject);
      for (String each : Slope.distances(measured)) {
        List<Double> trips = Slope.roundTrips(measured, subject, each);
        if (!trips.isEmpty()
            && (distance.equals(each) || subject.equals(measured.subjects().getFirst()))) {
          Estimate trip = Estimate.ofMean(trips);
          String added = measured.run().about("subject." + subject + ".added-ms");
          rows.add(
              List.of(
                  "`" + subject + "`",
                  each,
                  distance.equals(each) && !added.isEmpty() ? added : "0",
                  Numbers.number(trip.value()),
                  Numbers.interval(trip)));
        }
      }
    }
    return new TextTable(
        2,
        List.of("subject", "distance", "nominal delay, ms", "round trip measured, ms", "95 %"),
        rows);
  }

  private TextTable slopes() {
    RunByCell measured = evidence.measured();
    var rows = new ArrayList<List<String>>();
    for (Slope slope : each()) {
      Estimate times = slope.times();
      var first = new Cell(measured.subjects().getFirst(), slope.clients(), slope.kind());
      double calls = ServiceCallsSection.all(measured, first);
      rows.add(
          List.of(
              slope.distance(),
              Numbers.whole(slope.clients()),
              "`" + slope.kind() + "`",
              Numbers.number(times.value()),
              Numbers.interval(times),
              slope.distance().equals(Slope.CLIENT) || calls == 0 ? "" : Numbers.number(calls)));
    }
    return new TextTable(
        3,
        List.of(
            "distance", "clients", "kind", "round trips per request", "95 %", "gRPC calls counted"),
        rows);
  }

  private List<Slope> each() {
    RunByCell measured = evidence.measured();
    var slopes = new ArrayList<Slope>();
    for (String distance : Slope.distances(measured)) {
      for (int clients : measured.clients()) {
        for (String kind : measured.kinds()) {
          slopes.add(new Slope(measured, distance, clients, kind));
        }
      }
    }
    return slopes.stream().filter(Slope::isMeasured).toList();
  }

  /// For the smallest number of clients.
  @Override
  public List<String> findings() {
    return each().stream()
        .filter(slope -> slope.clients() == evidence.measured().clients().first())
        .map(NetworkDistanceSection::finding)
        .toList();
  }

  private static String finding(Slope slope) {
    Estimate times = slope.times();
    String what =
        "`%s` pays the round trip %s"
            .formatted(
                slope.kind(),
                slope.distance().equals(Slope.CLIENT)
                    ? "between client and frontend"
                    : "between " + slope.distance());
    String when = Phrases.clients(slope.clients());
    if (!times.isKnown()) {
      return "How often %s is %s from one repetition; it was %s times (%s)."
          .formatted(what, "not known", Numbers.number(times.value()), when);
    }
    return times.contains(0)
        ? "It is not detectable that %s: %s times %s (%s)."
            .formatted(what, Numbers.number(times.value()), Numbers.interval(times), when)
        : "%s %s times %s (%s)."
            .formatted(what, Numbers.number(times.value()), Numbers.interval(times), when);
  }
}
