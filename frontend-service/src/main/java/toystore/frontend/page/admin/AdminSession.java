package toystore.frontend.page.admin;

import java.time.Instant;

/// A session of the administrator.
///
/// @param id random; the secret of its forms
/// @param usedAt its last use, to a minute
record AdminSession(String id, Instant begunAt, Instant usedAt) {}
