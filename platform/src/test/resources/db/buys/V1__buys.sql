-- The rows of a buy as the catalog keeps them, in SQL that database servers take too.
CREATE TABLE benchmark_product (
  id       BIGINT PRIMARY KEY,
  quantity BIGINT NOT NULL
);
CREATE TABLE benchmark_series (
  id          BIGINT PRIMARY KEY,
  next_number BIGINT NOT NULL
);
CREATE TABLE benchmark_sale (
  number   BIGINT       PRIMARY KEY,
  sale_key VARCHAR(255) NOT NULL,
  sale_lines VARCHAR(500) NOT NULL,
  sold_at  BIGINT       NOT NULL
);
CREATE TABLE benchmark_answer (
  answer_key   VARCHAR(255) PRIMARY KEY,
  request_hash VARCHAR(64)  NOT NULL,
  number       BIGINT       NOT NULL
);
INSERT INTO benchmark_product VALUES (1, 9000000000000000);
INSERT INTO benchmark_series VALUES (1, 0);
