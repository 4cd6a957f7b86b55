-- Orders are read from the catalog's sales.
DROP TABLE book;
