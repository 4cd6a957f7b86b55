package toystore.cli.shop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;
import toystore.cli.command.CommandRefusal;
import toystore.cli.command.DurableFiles;

/// The folder in which `shop` keeps what one command leaves to the next: in `shop-logins.json`, the
/// login at each shop's URL, with its token. Only the owner can read it.
public record ShopFolder(Path path) {
  private static final JsonMapper JSON = JsonMapper.shared();

  /// The user's own: `$XDG_STATE_HOME/toystore`, or else `~/.local/state/toystore`.
  static ShopFolder ofUser() {
    String given = System.getenv("XDG_STATE_HOME");
    Path state =
        given == null || given.isBlank()
            ? Path.of(System.getProperty("user.home"), ".local", "state")
            : Path.of(given);
    return new ShopFolder(state.toAbsolutePath().resolve("toystore"));
  }

  Optional<ShopLogin> login(String url) throws IOException {
    return Optional.ofNullable(logins().get(url));
  }

  public void keep(String url, ShopLogin login) throws IOException {
    Map<String, ShopLogin> all = logins();
    all.put(url, login);
    write(all);
  }

  void forget(String url) throws IOException {
    Map<String, ShopLogin> all = logins();
    if (all.remove(url) != null) {
      write(all);
    }
  }

  private Map<String, ShopLogin> logins() throws IOException {
    if (!Files.exists(file())) {
      return new TreeMap<>();
    }
    try {
      return JSON.readValue(
          Files.readString(file()), new TypeReference<TreeMap<String, ShopLogin>>() {});
    } catch (JacksonException damaged) { // its message could contain a token
      throw new CommandRefusal(file() + " is damaged; delete it and log in again");
    }
  }

  private void write(Map<String, ShopLogin> logins) throws IOException {
    if (!Files.isDirectory(path)) {
      DurableFiles.makeFolder(path);
    }
    DurableFiles.write(file(), JSON.writeValueAsString(logins));
  }

  private Path file() {
    return path.resolve("shop-logins.json");
  }
}
