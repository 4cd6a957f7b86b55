package toystore.frontend.http.error;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;

/// An HTTP error with its status, reason and message. It has no stack trace, because it is an
/// expected answer and can occur thousands of times per second.
public final class ApiException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int MAX_SHOWN = 40;

  private final int status;
  private final transient RpcError error;

  private ApiException(int status, RpcError error) {
    super(error.message(), null, false, false);
    this.status = status;
    this.error = error;
  }

  /// Returns an error with the first reason of the status.
  public static ApiException of(int status, String message) {
    ErrorReason first =
        Arrays.stream(ErrorReason.values())
            .filter(it -> statusOf(it) == status)
            .findFirst()
            .orElse(ErrorReason.INVALID);
    return new ApiException(status, new RpcError(first, message));
  }

  public static ApiException of(ErrorReason reason, String message) {
    return of(new RpcError(reason, message));
  }

  public static ApiException of(RpcError error) {
    return new ApiException(statusOf(error.reason()), error);
  }

  private static int statusOf(ErrorReason reason) {
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

  public static ApiException badRequest(String message) {
    return of(400, message);
  }

  public static ApiException itemNotFound() {
    return of(ErrorReason.ITEM_NOT_FOUND, "item not found");
  }

  public static ApiException productNotFound() {
    return of(ErrorReason.PRODUCT_NOT_FOUND, "product not found");
  }

  public static String shorten(String text) {
    String valid = valid(text);
    return valid.codePointCount(0, valid.length()) > MAX_SHOWN
        ? valid.substring(0, valid.offsetByCodePoints(0, MAX_SHOWN)) + "…"
        : valid;
  }

  /// Replaces halves of surrogate pairs, which no encoding can send.
  public static String valid(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  public String message() {
    return error.message();
  }

  public int status() {
    return status;
  }

  public ErrorReason reason() {
    return error.reason();
  }

  /// The value of `Retry-After`: at least 1 s.
  public String retryAfter() {
    Duration delay = error.retryDelay();
    return String.valueOf(delay == null ? 1 : Math.max(1, delay.plusMillis(999).toSeconds()));
  }

  public boolean isNotFound() {
    return status == 404;
  }

  /// Whether this is the stored answer to an earlier request with the same key.
  public boolean isReplayed() {
    return error.replayed();
  }
}
