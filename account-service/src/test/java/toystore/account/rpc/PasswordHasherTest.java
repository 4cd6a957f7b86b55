package toystore.account.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static toystore.clients.Conditions.await;

import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import toystore.account.CountingPasswordEncoder;
import toystore.account.domain.FailedLogins;
import toystore.account.domain.Role;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;

/// One thread, which the first task blocks until the others wait.
@Timeout(30)
class PasswordHasherTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final Semaphore blocked = new Semaphore(0);
  private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();
  private final List<CompletableFuture<String>> answers = new ArrayList<>();
  private PasswordHasher hasher = hasher(100, LONG);

  @AfterEach
  void close() {
    blocked.release(1_000);
    hasher.close();
  }

  @Test
  void floodOfOneUserDelaysAnotherUserByOneTask() {
    block();
    submit("ann", "A", 50);
    submit("ben", "A", 2);
    submit("cat", "B", 1);

    assertThat(finished().subList(0, 5))
        .containsExactly("ann at A", "cat at B", "ben at A", "ann at A", "ben at A");
  }

  @Test
  void floodOfOneUserFromManyAddressesDelaysAnotherUserByOneTask() {
    block();
    IntStream.range(0, 50).forEach(i -> submit("ann", "A" + i, 1));
    submit("ben", "B", 1);

    assertThat(finished().subList(0, 2)).containsExactly("ann at A0", "ben at B");
  }

  @Test
  void floodOfManyUsersAtOneAddressDelaysAnotherAddressByOneTask() {
    block();
    IntStream.range(0, 50).forEach(i -> submit("user " + i, "A", 1));
    submit("ben", "B", 2);

    assertThat(finished().subList(0, 2)).containsExactly("user 0 at A", "ben at B");
  }

  @Test
  void userWhoArrivesAfterManyTurnsOfOthersTakesTheNextTurn() {
    block();
    submit("ann", "A", 30);
    blocked.release(20);
    await(() -> done.size() == 20 && blocked.hasQueuedThreads());
    submit("ben", "B", 2);

    assertThat(finished().subList(19, 24))
        .containsExactly("ann at A", "ben at B", "ann at A", "ben at B", "ann at A");
  }

  @Test
  void tasksOfOneUserRunInOrderOfArrival() {
    block();
    var order = new ArrayList<Integer>();
    IntStream.range(0, 20).forEach(i -> submit("ann", "A", () -> order.add(i)));
    finished();

    assertThat(order).isEqualTo(IntStream.range(0, 20).boxed().toList());
  }

  @Test
  void tasksOfAnAddressAndInTotalAreLimited() {
    hasher.close();
    hasher = hasher(4, LONG);
    block();
    submit("ann", "A", 3);
    submit("ben", "A", 1);

    assertThat(refusal("zoë", "A"))
        .isEqualTo(
            new RpcError(
                ErrorReason.TOO_MANY_LOGINS,
                "4 registrations and logins of this client address are in progress, which is the maximum; retry in 1 s",
                false,
                Duration.ofSeconds(1)));
    IntStream.range(0, 95).forEach(i -> submit("user " + i, "C" + i, 1));
    assertThat(refusal("dan", "D").reason()).isEqualTo(ErrorReason.OVERLOADED);

    finished();
    submit("ann", "A", 3);
    assertThat(finished()).endsWith("ann at A", "ann at A", "ann at A");
  }

  @Test
  void taskThatWaitsTooLongIsRefusedAndNotRun() {
    hasher.close();
    hasher = hasher(100, Duration.ofMillis(50));
    block();
    submit("ann", "A", 1);

    var failure = catchThrowable(() -> answers.getLast().join());
    assertThat(failure)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            it -> assertThat(RpcError.of(it).reason()).isEqualTo(ErrorReason.OVERLOADED));
    blocked.release(1_000);
    await(() -> hasher.waiting() == 0);
    assertThat(done).doesNotContain("ann at A");
  }

  /// A hasher of at most 100 tasks.
  private static PasswordHasher hasher(int maxPerAddress, Duration maxTime) {
    return new PasswordHasher(
        new CountingPasswordEncoder(), 1, new FairOrder(100, maxPerAddress), maxTime);
  }

  private void block() {
    submit("first", "first", 1);
    await(() -> blocked.hasQueuedThreads());
  }

  private void submit(String user, String address, int count) {
    for (int i = 0; i < count; i++) {
      submit(user, address, () -> {});
    }
  }

  private void submit(String user, String address, Runnable task) {
    var client = new FailedLogins.Attempt(Role.BUYER, user, address);
    answers.add(
        hasher
            .submit(
                client,
                () -> false,
                () -> {
                  blocked.acquireUninterruptibly();
                  task.run();
                  done.add(user + " at " + address);
                  return "";
                })
            .toCompletableFuture());
  }

  private RpcError refusal(String user, String address) {
    var client = new FailedLogins.Attempt(Role.BUYER, user, address);
    return RpcError.of(
        (StatusRuntimeException)
            catchThrowable(() -> hasher.submit(client, () -> false, () -> "")));
  }

  /// Lets all tasks run.
  ///
  /// @return the clients of the finished tasks in their order, without that of the first one
  private List<String> finished() {
    blocked.release(200);
    answers.forEach(CompletableFuture::join);
    return done.stream().skip(1).toList();
  }
}
