package toystore.frontend.products;

import java.math.BigDecimal;

/// A trade of a stock, for pages.
///
/// @param type `bought` or `sold`
/// @param price of one unit
/// @param time in RFC 3339 format
public record StockTradeView(
    long number, String type, long quantity, BigDecimal price, String time) {}
