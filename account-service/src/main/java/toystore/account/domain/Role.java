package toystore.account.domain;

/// The role of an account. Each role has its own usernames and ids. The names are stored on disk.
public enum Role {
  BUYER,
  SELLER
}
