package toystore.account.domain;

import java.util.HashMap;
import java.util.Map;

/// The next id of each role's accounts, of the sessions and of the opinions.
public record NextNumbers(Map<Role, Long> accounts, long session, long feedback) {
  public static final NextNumbers FIRST = new NextNumbers(Map.of(), 1, 1);

  public long account(Role role) {
    return accounts.getOrDefault(role, 1L);
  }

  public boolean exists(Role role, long accountId) {
    return accountId >= 1 && accountId < account(role);
  }

  /// @param id of the role's last account
  public NextNumbers afterAccount(Role role, long id) {
    var after = new HashMap<>(accounts);
    after.put(role, id + 1);
    return new NextNumbers(after, session, feedback);
  }

  NextNumbers afterSession() {
    return new NextNumbers(accounts, session + 1, feedback);
  }

  NextNumbers afterFeedback() {
    return new NextNumbers(accounts, session, feedback + 1);
  }
}
