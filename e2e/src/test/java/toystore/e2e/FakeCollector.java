package toystore.e2e;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Receives spans as an OpenTelemetry collector does, with OTLP over HTTP.
final class FakeCollector implements AutoCloseable {
  private final List<Span> spans = new CopyOnWriteArrayList<>();
  private final HttpServer server;

  /// A received span.
  ///
  /// @param from start in nanoseconds since 1970
  record Span(
      String service,
      String name,
      String kind,
      String traceId,
      String id,
      String parent,
      long from,
      long to,
      List<String> attributes) {}

  FakeCollector() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/v1/traces",
        exchange -> {
          take(ExportTraceServiceRequest.parseFrom(exchange.getRequestBody()));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
  }

  List<Span> trace(String traceId) {
    return spans.stream().filter(span -> span.traceId.equals(traceId)).toList();
  }

  List<Span> all() {
    return List.copyOf(spans);
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void take(ExportTraceServiceRequest request) {
    for (var resource : request.getResourceSpansList()) {
      String service =
          resource.getResource().getAttributesList().stream()
              .filter(it -> it.getKey().equals("service.name"))
              .map(it -> it.getValue().getStringValue())
              .findFirst()
              .orElse("");
      for (var scope : resource.getScopeSpansList()) {
        scope.getSpansList().forEach(span -> spans.add(span(service, span)));
      }
    }
  }

  private static Span span(String service, io.opentelemetry.proto.trace.v1.Span span) {
    var hex = HexFormat.of();
    return new Span(
        service,
        span.getName(),
        span.getKind().name().replace("SPAN_KIND_", ""),
        hex.formatHex(span.getTraceId().toByteArray()),
        hex.formatHex(span.getSpanId().toByteArray()),
        hex.formatHex(span.getParentSpanId().toByteArray()),
        span.getStartTimeUnixNano(),
        span.getEndTimeUnixNano(),
        span.getAttributesList().stream().map(KeyValue::getKey).sorted().toList());
  }
}
