package toystore.account.rpc;

import static toystore.common.RootLocale.format;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import toystore.account.domain.FailedLogins;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;

/// The order in which the password tasks of many clients run, so that those of one user, or from
/// one address, do not delay those of others: start-time fair queuing. Users take turns. Users who
/// wait equally long take turns by their addresses, so that a crowd of users at one address counts
/// as one. Tasks of one user stay in order of arrival.
///
/// ```
/// arrival  user at address    place: turn of the user, turn of the address
///    1     ann  at A          0, 0
///    2     ann  at A          1, 1
///    3     ann  at A          2, 2
///    4     ben  at A          0, 3     second
///    5     cat  at B          0, 0     first, with ann's task
/// ```
///
/// The unfinished tasks of an address and of all are limited. Any thread.
public final class FairOrder {
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final int maxTasks;
  private final int maxPerAddress;
  private final Turns users = new Turns();
  private final Turns addresses = new Turns();
  private long arrivals;
  private int tasks;

  /// Of an unfinished task; places that compare lower run earlier.
  record Place(Object user, String address, long userTurn, long addressTurn, long arrival)
      implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
        Comparator.comparingLong(Place::userTurn)
            .thenComparingLong(Place::addressTurn)
            .thenComparingLong(Place::arrival);

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  public FairOrder(int maxTasks, int maxPerAddress) {
    this.maxTasks = maxTasks;
    this.maxPerAddress = maxPerAddress;
  }

  /// Gives a new task its place.
  ///
  /// @throws io.grpc.StatusRuntimeException if there are too many tasks
  synchronized Place enter(FailedLogins.Attempt client) {
    Object user = Map.entry(client.role(), client.username());
    if (tasks >= maxTasks) {
      throw new RpcError(
              ErrorReason.OVERLOADED,
              format(
                  "server is overloaded (%d registrations and logins in progress); the request was not processed; retry later",
                  maxTasks))
          .toException();
    }
    if (addresses.tasks(client.address()) >= maxPerAddress) {
      throw new RpcError(
              ErrorReason.TOO_MANY_LOGINS,
              format(
                  "%d registrations and logins of this client address are in progress, which is the maximum; retry in %d s",
                  maxPerAddress, RETRY.toSeconds()),
              false,
              RETRY)
          .toException();
    }
    tasks++;
    return new Place(
        user, client.address(), users.enter(user), addresses.enter(client.address()), arrivals++);
  }

  synchronized void begin(Place place) {
    users.now = Math.max(users.now, place.userTurn());
    addresses.now = Math.max(addresses.now, place.addressTurn());
  }

  synchronized void leave(Place place) {
    tasks--;
    users.leave(place.user());
    addresses.leave(place.address());
  }

  /// The unfinished tasks of each name, and the turn of its latest one. Names without tasks are not
  /// kept.
  private static final class Turns {
    private final Map<Object, Share> shares = new HashMap<>();
    long now;

    private record Share(int tasks, long turn) {
      static final Share NONE = new Share(0, -1);
    }

    int tasks(Object name) {
      return shares.getOrDefault(name, Share.NONE).tasks();
    }

    long enter(Object name) {
      Share share = shares.getOrDefault(name, Share.NONE);
      var next = new Share(share.tasks() + 1, Math.max(now, share.turn() + 1));
      shares.put(name, next);
      return next.turn();
    }

    void leave(Object name) {
      shares.computeIfPresent(
          name,
          (_, share) -> share.tasks() == 1 ? null : new Share(share.tasks() - 1, share.turn()));
    }
  }
}
