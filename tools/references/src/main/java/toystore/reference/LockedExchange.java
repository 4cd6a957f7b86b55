package toystore.reference;

import static java.nio.charset.StandardCharsets.UTF_8;
import static toystore.common.RootLocale.format;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/// An exchange of the published design: a thread for each request, one lock around everything, and
/// one commit for each order. It has the store's protocol, XML over TCP, for what load clients
/// send: accounts, then shares, and orders, in whole numbers. Its data is in an SQLite database
/// whose commits are on disk. For load clients only: connections and threads have no bound.
public final class LockedExchange implements AutoCloseable {
  private static final int BACKLOG = 4_096; // net.core.somaxconn
  private static final int BUFFER = 256; // a request; there are thousands of connections
  private static final XMLInputFactory XML = XMLInputFactory.newDefaultFactory();
  private static final String[] TABLES = {
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "CREATE TABLE account (id TEXT PRIMARY KEY, cash INTEGER)",
    "CREATE TABLE position (account TEXT, symbol TEXT, shares INTEGER,"
        + " PRIMARY KEY (account, symbol))",
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, account, symbol, buys, price, open)",
    "CREATE INDEX open_orders ON orders (symbol, buys, price, id) WHERE open > 0",
    "CREATE TABLE trade (buy INTEGER, sell INTEGER, shares INTEGER, price INTEGER)"
  };

  private final Connection database;
  private final Map<String, PreparedStatement> statements = new HashMap<>();
  private final ReentrantLock lock = new ReentrantLock(); // guards all of the database

  static {
    XML.setProperty(XMLInputFactory.SUPPORT_DTD, false);
  }

  LockedExchange(Path file) throws SQLException {
    database = DriverManager.getConnection("jdbc:sqlite:" + file);
    try (var statement = database.createStatement()) {
      for (String table : TABLES) {
        statement.execute(table);
      }
    }
    database.setAutoCommit(false);
  }

  /// @param arguments a folder for the database
  public static void main(String[] arguments) throws IOException, SQLException {
    try (var exchange = new LockedExchange(Path.of(arguments[0]).resolve("exchange.db"));
        var listening = new ServerSocket(0, BACKLOG, InetAddress.ofLiteral("127.0.0.1"))) {
      System.out.println("xml_port " + listening.getLocalPort());
      System.out.println("ready tcp://127.0.0.1:" + listening.getLocalPort());
      exchange.serve(listening);
    }
  }

  /// Serves connections until the socket is closed.
  void serve(ServerSocket listening) throws IOException {
    while (true) {
      Socket socket = listening.accept();
      Thread.startVirtualThread(() -> serve(socket)); // waits for its requests, no more
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      var in = new BufferedInputStream(socket.getInputStream(), BUFFER);
      for (int length = length(in); length >= 0; length = length(in)) {
        String document = new String(in.readNBytes(length), UTF_8);
        Thread.ofPlatform().start(() -> answer(socket, document)).join();
      }
    } catch (IOException closed) {
      // the client is gone
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// @return -1 at the end of the stream
  private static int length(InputStream in) throws IOException {
    int length = 0;
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        return -1;
      }
      length = 10 * length + Character.digit(next, 10);
    }
    return length;
  }

  private void answer(Socket socket, String document) {
    try {
      socket.getOutputStream().write((answer(document) + "\n").getBytes(UTF_8));
    } catch (IOException closed) {
      // the client is gone
    }
  }

  /// Executes a request.
  String answer(String document) {
    lock.lock();
    try {
      String results = execute(XML.createXMLStreamReader(new StringReader(document)));
      database.commit();
      return "<results>" + results + "</results>";
    } catch (XMLStreamException | NumberFormatException | SQLException e) {
      rollBack();
      return "<results><error>" + e.getMessage() + "</error></results>";
    } finally {
      lock.unlock();
    }
  }

  private void rollBack() {
    try {
      database.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException("the database cannot be used any more", e);
    }
  }

  private String execute(XMLStreamReader xml) throws XMLStreamException, SQLException {
    var results = new StringBuilder();
    String account = "";
    String symbol = "";
    while (xml.hasNext()) {
      if (xml.next() != XMLStreamConstants.START_ELEMENT) {
        continue;
      }
      switch (xml.getLocalName()) {
        case "create" -> {} // its children are the commands
        case "transactions" -> account = value(xml, "id");
        case "symbol" -> symbol = value(xml, "sym");
        case "account" -> {
          String id = value(xml, "id");
          if (symbol.isEmpty()) {
            long cash = Long.parseLong(value(xml, "balance"));
            change("INSERT INTO account VALUES (?, ?)", id, cash);
          } else {
            addShares(id, symbol, Long.parseLong(xml.getElementText()));
          }
          results.append(format("<created id=\"%s\"/>", id));
        }
        case "order" ->
            results.append(
                order(
                    account,
                    value(xml, "sym"),
                    Long.parseLong(value(xml, "amount")),
                    Long.parseLong(value(xml, "limit"))));
        default -> throw new XMLStreamException("unknown element " + xml.getLocalName());
      }
    }
    return results.toString();
  }

  private static String value(XMLStreamReader xml, String attribute) throws XMLStreamException {
    String value = xml.getAttributeValue(null, attribute);
    if (value == null) {
      throw new XMLStreamException("missing attribute " + attribute);
    }
    return value;
  }

  /// @param amount shares; below 0: to sell
  private String order(String account, String symbol, long amount, long limit) throws SQLException {
    boolean buys = amount > 0;
    long shares = Math.abs(amount);
    int reserved =
        buys
            ? change(
                "UPDATE account SET cash = cash - ?1 WHERE id = ?2 AND cash >= ?1",
                shares * limit,
                account)
            : change(
                "UPDATE position SET shares = shares - ?1"
                    + " WHERE account = ?2 AND symbol = ?3 AND shares >= ?1",
                shares,
                account,
                symbol);
    if (reserved == 0) {
      return format(
          "<error sym=\"%s\" amount=\"%d\" limit=\"%d\">too little cash or too few shares</error>",
          symbol, amount, limit);
    }
    long id = insert(account, symbol, buys, limit, shares);
    long open = shares;
    long traded = -1;
    while (open > 0 && traded != 0) {
      traded = match(id, account, symbol, buys, limit, open);
      open -= traded;
    }
    change("UPDATE orders SET open = ? WHERE id = ?", open, id);
    return format(
        "<opened sym=\"%s\" amount=\"%d\" limit=\"%d\" id=\"%d\"/>", symbol, amount, limit, id);
  }

  private long insert(String account, String symbol, boolean buys, long limit, long shares)
      throws SQLException {
    change(
        "INSERT INTO orders (account, symbol, buys, price, open) VALUES (?, ?, ?, ?, ?)",
        account,
        symbol,
        buys,
        limit,
        shares);
    try (ResultSet row = statement("SELECT last_insert_rowid()").executeQuery()) {
      return row.getLong(1);
    }
  }

  /// Trades with the best open order of the other side, if the limits allow it.
  ///
  /// @return the traded shares; 0: there is no such order
  private long match(long id, String account, String symbol, boolean buys, long limit, long open)
      throws SQLException {
    String best =
        buys
            ? "SELECT id, account, price, open FROM orders WHERE symbol = ? AND buys = 0"
                + " AND price <= ? AND open > 0 ORDER BY price, id LIMIT 1"
            : "SELECT id, account, price, open FROM orders WHERE symbol = ? AND buys = 1"
                + " AND price >= ? AND open > 0 ORDER BY price DESC, id LIMIT 1";
    long other;
    String otherAccount;
    long price;
    long shares;
    try (ResultSet row = statement(best, symbol, limit).executeQuery()) {
      if (!row.next()) {
        return 0;
      }
      other = row.getLong("id");
      otherAccount = row.getString("account");
      price = row.getLong("price");
      shares = Math.min(open, row.getLong("open"));
    }
    change("UPDATE orders SET open = open - ? WHERE id = ?", shares, other);
    change(
        "INSERT INTO trade VALUES (?, ?, ?, ?)",
        buys ? id : other,
        buys ? other : id,
        shares,
        price);
    addShares(buys ? account : otherAccount, symbol, shares);
    addCash(buys ? otherAccount : account, shares * price);
    if (buys) {
      addCash(account, shares * (limit - price)); // was reserved
    }
    return shares;
  }

  private void addCash(String account, long cash) throws SQLException {
    change("UPDATE account SET cash = cash + ? WHERE id = ?", cash, account);
  }

  private void addShares(String account, String symbol, long shares) throws SQLException {
    change(
        "INSERT INTO position VALUES (?, ?, ?)"
            + " ON CONFLICT DO UPDATE SET shares = shares + excluded.shares",
        account,
        symbol,
        shares);
  }

  private int change(String sql, Object... values) throws SQLException {
    return statement(sql, values).executeUpdate();
  }

  private PreparedStatement statement(String sql, Object... values) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      statement = database.prepareStatement(sql);
      statements.put(sql, statement);
    }
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  @Override
  public void close() throws SQLException {
    database.close();
  }
}
