package toystore.account;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/// bcrypt of the lowest strength that counts its hashes and can be blocked.
public final class CountingPasswordEncoder implements PasswordEncoder {
  private final PasswordEncoder bcrypt = new BCryptPasswordEncoder(4);
  final AtomicInteger hashes = new AtomicInteger();
  final Semaphore open = new Semaphore(1);

  @Override
  public @Nullable String encode(@Nullable CharSequence password) {
    count();
    return bcrypt.encode(password);
  }

  @Override
  public boolean matches(@Nullable CharSequence password, @Nullable String hash) {
    count();
    return bcrypt.matches(password, hash);
  }

  private void count() {
    hashes.incrementAndGet();
    open.acquireUninterruptibly();
    open.release();
  }
}
