package toystore.frontend.accounts;

/// The JSON view of a login. Its text does not show the token.
record LoginView(String message, String token) {
  @Override
  public String toString() {
    return "LoginView";
  }
}
