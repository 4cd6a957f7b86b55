package toystore.frontend.accounts;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/// The JSON view of a registration. Clients expect a token as after a login, but it is always null.
///
/// @param id from 1, in order of registration in this role
public record RegisteredAccount(String message, @JsonInclude @Nullable String token, long id) {}
