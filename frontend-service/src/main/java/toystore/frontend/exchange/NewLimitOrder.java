package toystore.frontend.exchange;

import java.util.regex.Pattern;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.FormBody;
import toystore.frontend.http.JsonBody;

/// An order as a client sent it.
///
/// @param buys whether it buys; else it sells
/// @param shares in ten-thousandths, from 1
/// @param limit price of one share in ten-thousandths, from 1
public record NewLimitOrder(String symbol, boolean buys, long shares, long limit) {
  public static final int DECIMALS = 4;

  private static final Pattern SYMBOL = Pattern.compile("[A-Za-z0-9]{1,32}");

  static NewLimitOrder of(JsonBody body) {
    body.allowOnly("symbol", "side", "shares", "limit");
    String symbol = symbol(body);
    boolean buys = body.isText("side", "buy");
    if (!buys && !body.isText("side", "sell")) {
      throw body.invalid("side", "\"buy\" or \"sell\"");
    }
    return new NewLimitOrder(
        symbol,
        buys,
        body.fixedPoint("shares", DECIMALS, 1),
        body.fixedPoint("limit", DECIMALS, 1));
  }

  public static NewLimitOrder of(FormBody form) {
    return new NewLimitOrder(
        symbol(form),
        switch (form.text("side")) {
          case "buy" -> true;
          case "sell" -> false;
          default -> throw ApiException.badRequest("side must be buy or sell");
        },
        form.fixedPoint("shares", DECIMALS, 1),
        form.fixedPoint("limit", DECIMALS, 1));
  }

  static String symbol(JsonBody body) {
    String symbol = body.text("symbol", 32);
    if (!isSymbol(symbol)) {
      throw body.invalid("symbol", "a string of 1 to 32 letters and digits");
    }
    return symbol;
  }

  public static String symbol(FormBody form) {
    String symbol = form.text("symbol").strip();
    if (!isSymbol(symbol)) {
      throw ApiException.badRequest("symbol must be 1 to 32 letters and digits");
    }
    return symbol;
  }

  static boolean isSymbol(String text) {
    return SYMBOL.matcher(text).matches();
  }
}
