package toystore.frontend.http;

/// The proof that the administrator asks. A controller that takes one is closed to others.
public final class Administrator {
  Administrator() {}
}
