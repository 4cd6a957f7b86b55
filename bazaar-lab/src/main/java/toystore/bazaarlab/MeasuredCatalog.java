package toystore.bazaarlab;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import toystore.common.v1.AuditRequest;
import toystore.common.v1.AuditServiceGrpc;
import toystore.gatling.SteadyStateDetector;
import toystore.gatling.environment.CatalogOnly;
import toystore.gatling.environment.Subject;

/// A catalog to measure, with the protocol that clients use.
///
/// @param name of the subject
/// @param what one-line description
/// @param baseline the subject to compare with; empty: the first subject
/// @param line true: line protocol; false: gRPC
/// @param updated whether prices change during the measurement
/// @param mayRefuse whether the catalog may refuse calls because it is busy
record MeasuredCatalog(
    String name,
    String what,
    String baseline,
    CatalogOnly catalog,
    boolean line,
    boolean updated,
    boolean mayRefuse) {
  static MeasuredCatalog grpc(String name, String what, CatalogOnly catalog) {
    return new MeasuredCatalog(name, what, "", catalog, false, false, false);
  }

  static MeasuredCatalog line(String name, String what, CatalogOnly catalog) {
    return new MeasuredCatalog(name, what, "", catalog, true, false, false);
  }

  MeasuredCatalog baseline(String other) {
    return new MeasuredCatalog(name, what, other, catalog, line, updated, mayRefuse);
  }

  MeasuredCatalog withUpdates() {
    return new MeasuredCatalog(name, what, baseline, catalog, line, true, mayRefuse);
  }

  MeasuredCatalog mayRefuseCalls() {
    return new MeasuredCatalog(name, what, baseline, catalog, line, updated, true);
  }

  Subject subject() {
    String address =
        line ? "line://127.0.0.1:" + catalog.linePort() : "grpc://127.0.0.1:" + catalog.port();
    return new Subject(
        name,
        what,
        URI.create(address),
        Optional.of(this::audit),
        List.of(catalog.metrics()),
        Map::of,
        () -> {},
        baseline.isEmpty() ? Map.of() : Map.of("against", baseline));
  }

  /// Connects this number of clients.
  ///
  /// @param grpcCalls chosen at random; the line protocol supports only lookups
  /// @param sales sale numbers for queries of sales
  List<Caller> callers(int clients, List<GrpcCallKind> grpcCalls, List<Long> sales, Random random)
      throws IOException {
    var callers = new ArrayList<Caller>();
    try {
      for (int i = 0; i < clients; i++) {
        var own = new Random(random.nextLong());
        callers.add(
            line
                ? LineCaller.connect(catalog.linePort(), own)
                : GrpcCaller.connect(
                    catalog.port(), new GrpcCaller.Workload(grpcCalls, sales, mayRefuse), own));
      }
      return callers;
    } catch (IOException failure) {
      callers.forEach(Caller::close);
      throw failure;
    }
  }

  /// Sends calls until the catalog has warmed up.
  ///
  /// @param window see [SteadyStateDetector]
  void warmUp(int clients, int window, List<GrpcCallKind> grpcCalls, List<Long> sales)
      throws IOException, InterruptedException {
    var warmUp = new SteadyStateDetector(window);
    new ConcurrentClients(
            callers(clients, grpcCalls, sales, new Random(0)),
            _ -> !warmUp.done(),
            answer -> warmUp.add(answer.startNanos(), answer.endNanos()))
        .run();
  }

  /// The same format as the body of a store's `/audit`.
  private String audit() {
    ManagedChannel channel = GrpcCaller.channel(catalog.port());
    try {
      var checks =
          AuditServiceGrpc.newBlockingStub(channel)
              .audit(AuditRequest.newBuilder().setFull(true).build())
              .getChecksList();
      var body = JsonNodeFactory.instance.objectNode();
      body.put("ok", checks.stream().allMatch(check -> check.getOk()));
      var details = body.putArray("checks");
      checks.forEach(check -> details.addObject().put("detail", check.getDetail()));
      return body.toString();
    } finally {
      channel.shutdownNow();
    }
  }
}
