package toystore.frontend.security;

import java.util.Locale;
import java.util.stream.Stream;

/// The role of an account. Each role has its own usernames and ids.
public enum AccountRole {
  BUYER,
  SELLER;

  public static AccountRole of(String word) {
    return Stream.of(values())
        .filter(it -> it.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(word));
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
