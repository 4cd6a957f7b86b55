package toystore.torture;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import toystore.testkit.Conditions;
import toystore.testkit.StoreProcesses;

/// Kills random services (SIGKILL), one or two at once, and restarts them. One thread.
record ServiceKills(StoreProcesses store, List<String> services, Random random) {
  /// Kills and restarts services. Two times out of three, it waits until they are ready; otherwise
  /// the next kill happens during this start.
  ///
  /// @return how many were killed
  int killAndRestart() throws IOException, InterruptedException {
    int first = random.nextInt(services.size());
    List<String> victims =
        random.nextInt(4) > 0 || services.size() == 1
            ? List.of(services.get(first))
            : List.of(services.get(first), services.get((first + 1) % services.size()));
    for (String victim : victims) {
      store.kill(victim);
    }
    for (String victim : victims) {
      store.start(victim);
    }
    if (random.nextInt(3) > 0) {
      awaitReady();
    }
    return victims.size();
  }

  void awaitReady() {
    services.forEach(it -> Conditions.await(store.http(it)::isReady));
  }
}
