package toystore.account.domain;

import java.util.concurrent.atomic.LongAdder;

/// The logins since this start. Any thread.
///
/// @param succeeded sessions opened
/// @param wrong the username or the password was wrong
/// @param limited refused because too many logins had failed
public record LoginCounter(LongAdder succeeded, LongAdder wrong, LongAdder limited) {
  public LoginCounter() {
    this(new LongAdder(), new LongAdder(), new LongAdder());
  }
}
