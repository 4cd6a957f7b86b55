CREATE TABLE number (value bigint PRIMARY KEY, text text COLLATE "C" NOT NULL);
