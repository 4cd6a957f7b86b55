package toystore.gatling;

import java.util.Locale;

/// A kind of call.
enum Kind {
  /// `GET /products/{name}`
  QUERY,
  /// `POST /orders` for one piece
  BUY;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
