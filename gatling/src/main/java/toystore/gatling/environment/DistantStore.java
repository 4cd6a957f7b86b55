package toystore.gatling.environment;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A store without marketplace and exchange in its own network namespace, with adjustable delays:
///
/// ```
///  here (10.78.N.1)                     namespace (10.78.N.2)
///  client ── link ──────────────────────▶ frontend ─┐
///            link ◀── to order, catalog ────────────┘
///            link ──────────────────────▶ order ────┐
///            link ◀── to catalog ───────────────────┘
///            link ──────────────────────▶ catalog
/// ```
///
/// Every connection uses a [DelayProxy], also without added delay. One thread.
final class DistantStore {
  private final DelayProxy client;
  private final List<DelayProxy> services;

  private DistantStore(DelayProxy client, List<DelayProxy> services) {
    this.client = client;
    this.services = services;
  }

  static List<Subject> start(
      StoreProvisioner environments, List<StoreProvisioner.Distance> distances)
      throws IOException, InterruptedException {
    var namespace = NetworkNamespace.create(environments);
    InetAddress host = namespace.hostAddress();
    var frontend = new InetSocketAddress(namespace.namespaceAddress(), 8080);
    var orders = new InetSocketAddress(namespace.namespaceAddress(), 9092);
    var catalogs = new InetSocketAddress(namespace.namespaceAddress(), 9091);
    var client = link(environments, InetAddress.getLoopbackAddress(), frontend);
    var toOrder = link(environments, host, orders);
    var toCatalog = link(environments, host, catalogs);
    var address = namespace.namespaceAddress().getHostAddress();
    namespace.startService(
        "catalog",
        List.of(
            "--toystore.catalog.listen=" + address,
            "--toystore.catalog.file=" + environments.catalog()));
    namespace.startService(
        "order",
        List.of(
            "--toystore.order.listen=" + address,
            "--toystore.order.catalog-target=" + target(toCatalog),
            "--toystore.order.account-target=",
            "--toystore.order.payment-target="));
    namespace.startService(
        "frontend",
        List.of(
            "--toystore.frontend.listen=" + address,
            "--toystore.frontend.audit-interval=0", // no background work while measuring
            "--toystore.frontend.catalog-target=" + target(toCatalog),
            "--toystore.frontend.order-target=" + target(toOrder),
            "--toystore.frontend.account-target=",
            "--toystore.frontend.exchange-target="));
    var store = new DistantStore(client, List.of(toOrder, toCatalog));
    return distances.stream().map(it -> store.at(it, namespace)).toList();
  }

  private static DelayProxy link(
      StoreProvisioner environments, InetAddress from, InetSocketAddress to) throws IOException {
    var link = DelayProxy.open(from, to);
    environments.closeLater(link);
    return link;
  }

  private static String target(DelayProxy link) {
    return "static://%s:%d"
        .formatted(link.address().getAddress().getHostAddress(), link.address().getPort());
  }

  private Subject at(StoreProvisioner.Distance distance, NetworkNamespace namespace) {
    var url = StoreProvisioner.http("127.0.0.1", client.address().getPort(), "");
    return new Subject(
        distance.name(),
        distance.addedMillis() == 0
            ? "nothing added to any way"
            : distance.where().equals("client")
                ? "%s ms added between client and frontend".formatted(distance.addedMillis())
                : "%s ms added between each two services".formatted(distance.addedMillis()),
        url,
        Optional.of(namespace::audit),
        List.of(),
        this::roundTrips,
        () -> setDistance(distance),
        distance.about());
  }

  private void setDistance(StoreProvisioner.Distance distance) {
    var added = Duration.ofNanos((long) (distance.addedMillis() * 1e6));
    boolean toClient = distance.where().equals("client");
    client.setRoundTrip(toClient ? added : Duration.ZERO);
    services.forEach(it -> it.setRoundTrip(toClient ? Duration.ZERO : added));
  }

  private Map<String, Duration> roundTrips() {
    return Map.of(
        "round-trip",
        DelayProxy.measureRoundTrip(client),
        "round-trip.services",
        DelayProxy.measureRoundTrip(services.getFirst()));
  }
}
