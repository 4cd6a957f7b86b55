package toystore.account;

import java.util.concurrent.atomic.LongAdder;

/// The logins since this start. Any thread.
///
/// @param succeeded sessions opened
/// @param wrong the username or the password was wrong
/// @param limited refused because too many logins had failed
record LoginCounter(LongAdder succeeded, LongAdder wrong, LongAdder limited) {
  LoginCounter() {
    this(new LongAdder(), new LongAdder(), new LongAdder());
  }
}
