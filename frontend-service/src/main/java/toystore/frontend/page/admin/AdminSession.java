package toystore.frontend.page.admin;

import java.time.Instant;
import org.springframework.security.core.AuthenticatedPrincipal;

/// A session of the administrator.
///
/// @param id random; the secret of its forms
/// @param name what the person at the login called itself; empty: nothing
/// @param usedAt its last use, to a minute
record AdminSession(String id, String name, Instant begunAt, Instant usedAt)
    implements AuthenticatedPrincipal {
  @Override
  public String getName() {
    return name;
  }
}
