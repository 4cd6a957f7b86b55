package toystore.torture.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import toystore.torture.StoreProcesses;

/// A network of [FaultyLink]s. Those that clients come by meet troubles more often: such a
/// connection carries one request, one between services all that they say to each other.
final class FaultyLinks implements Network {
  private static final double SHARE_OF_CLIENTS = 0.10;
  private static final double SHARE_BETWEEN_SERVICES = 0.015;

  private final SplittableRandom random;
  private final List<FaultyLink> links = new ArrayList<>();
  private final Map<Trouble, LongAdder> counted = new EnumMap<>(Trouble.class);

  FaultyLinks(long seed) {
    this.random = new SplittableRandom(seed);
    for (Trouble trouble : Trouble.values()) {
      counted.put(trouble, new LongAdder());
    }
  }

  @Override
  public int link(String name, int to) throws IOException {
    var door = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    double share = name.startsWith("client") ? SHARE_OF_CLIENTS : SHARE_BETWEEN_SERVICES;
    links.add(new FaultyLink(door, to, share, random.split(), this::count));
    return door.getLocalPort();
  }

  private void count(Trouble trouble) {
    Objects.requireNonNull(counted.get(trouble)).increment();
  }

  @Override
  public void rage() {
    links.forEach(FaultyLink::rage);
  }

  @Override
  public void calm() throws IOException {
    links.forEach(FaultyLink::calm);
    StoreProcesses.await(() -> links.stream().allMatch(FaultyLink::isIdle));
  }

  @Override
  public String troubles() {
    return counted.entrySet().stream()
        .filter(it -> it.getKey() != Trouble.NONE)
        .map(it -> it.getValue().sum() + " " + it.getKey())
        .collect(Collectors.joining(", "));
  }

  @Override
  public void close() throws IOException {
    for (FaultyLink link : links) {
      link.close();
    }
  }
}
