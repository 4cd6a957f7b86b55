-- The order service has no copy of the sales any more that would have to be compared.
DROP TABLE order_book;
