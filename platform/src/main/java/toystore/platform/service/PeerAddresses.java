package toystore.platform.service;

import io.grpc.EquivalentAddressGroup;
import io.grpc.ManagedChannelBuilder;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.NameResolverRegistry;
import io.grpc.StatusOr;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Several addresses of one service as a gRPC target, and the choice of the one that serves.
final class PeerAddresses extends NameResolverProvider {
  private static final String STATIC = "static://";
  private static final String SCHEME = "addresses";

  /// The health of this name is SERVING if the process may use the service's database.
  private static final Map<String, ?> HEALTH_CHECK =
      Map.of("healthCheckConfig", Map.of("serviceName", "storage"));

  static {
    NameResolverRegistry.getDefaultRegistry().register(new PeerAddresses());
  }

  /// The target that gRPC resolves.
  static String target(String setting) {
    return setting.startsWith(STATIC) && setting.contains(",")
        ? SCHEME + ":///" + setting.substring(STATIC.length())
        : setting;
  }

  /// Calls addresses in turn, those alone that are healthy, if a target may have several. The JVM's
  /// proxy (`https.proxyHost`) is for other traffic.
  static <B extends ManagedChannelBuilder<B>> B configure(B channel, String setting) {
    channel.proxyDetector(_ -> null);
    return setting.contains(",") || setting.startsWith("dns:")
        ? channel.defaultLoadBalancingPolicy("round_robin").defaultServiceConfig(HEALTH_CHECK)
        : channel;
  }

  @Override
  public @Nullable NameResolver newNameResolver(URI target, NameResolver.Args args) {
    if (!SCHEME.equals(target.getScheme())) {
      return null;
    }
    List<URI> addresses =
        Stream.of(target.getPath().substring(1).split(","))
            .map(it -> URI.create("//" + it))
            .toList();
    return new Resolver(addresses);
  }

  /// Looks up the hosts at the start and whenever a connection fails.
  @SuppressWarnings("NullAway.Init") // gRPC calls start first
  private static final class Resolver extends NameResolver {
    private final List<URI> addresses;
    private Listener2 listener;

    Resolver(List<URI> addresses) {
      this.addresses = addresses;
    }

    @Override
    public String getServiceAuthority() {
      return addresses.getFirst().getAuthority();
    }

    @Override
    public void start(Listener2 channel) {
      listener = channel;
      refresh();
    }

    @Override
    public void refresh() {
      List<EquivalentAddressGroup> found =
          addresses.stream()
              .map(it -> new InetSocketAddress(it.getHost(), it.getPort()))
              .map(EquivalentAddressGroup::new)
              .toList();
      listener.onResult(
          ResolutionResult.newBuilder().setAddressesOrError(StatusOr.fromValue(found)).build());
    }

    @Override
    public void shutdown() {
      // nothing is open
    }
  }

  @Override
  public String getDefaultScheme() {
    return SCHEME;
  }

  @Override
  protected boolean isAvailable() {
    return true;
  }

  @Override
  protected int priority() {
    return 0; // below DNS, which stays the default
  }
}
