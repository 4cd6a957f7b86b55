package toystore.account;

/// The role of an account. Each role has its own usernames and ids. The names are stored on disk.
enum Role {
  BUYER,
  SELLER
}
