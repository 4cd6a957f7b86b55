package toystore.platform.service;

import java.time.Duration;
import org.springframework.grpc.client.GrpcChannelFactory;

/// Makes the channels to other services.
///
/// @param deadline of calls that have none
public record PeerChannels(
    GrpcChannelFactory factory, Duration deadline, PeerResilience resilience) {
  /// @param peer name of the called service, such as `catalog`
  /// @param target see [PeerChannel]
  public PeerChannel to(String peer, String target) {
    return new PeerChannel(factory, peer, target, deadline, resilience);
  }
}
