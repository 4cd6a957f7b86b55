package toystore.frontend.http.error;

import java.util.Arrays;
import toystore.platform.error.ErrorReason;

/// The HTTP status of each reason.
public final class HttpStatuses {
  private HttpStatuses() {}

  public static int of(ErrorReason reason) {
    return switch (reason) {
      case NOT_A_STOCK, NOT_ENOUGH, NOT_IN_CART, CART_EMPTY -> 400;
      case CARD_DECLINED -> 402;
      case METHOD_NOT_ALLOWED -> 405;
      case BODY_TOO_SLOW -> 408;
      case BODY_TOO_LARGE -> 413;
      case CONTENT_ENCODING -> 415;
      case OTHER_HOST -> 421;
      case KEY_REUSED, UNKNOWN_FEEDBACK -> 422;
      case TOO_MANY_LOGINS, TOO_MANY_FEEDS -> 429;
      case NOT_CONFIGURED, OVERLOADED, CATALOG_BEHIND -> 503;
      default ->
          switch (reason.code()) {
            case INVALID_ARGUMENT -> 400;
            case UNAUTHENTICATED -> 401;
            case PERMISSION_DENIED -> 403;
            case NOT_FOUND -> 404;
            case ALREADY_EXISTS, FAILED_PRECONDITION -> 409;
            case UNAVAILABLE -> 503;
            case ABORTED, DEADLINE_EXCEEDED -> 504;
            default -> 500;
          };
    };
  }

  /// Returns the first reason of a status; [ErrorReason#INVALID] if it has none.
  static ErrorReason defaultReason(int status) {
    return Arrays.stream(ErrorReason.values())
        .filter(it -> of(it) == status)
        .findFirst()
        .orElse(ErrorReason.INVALID);
  }
}
