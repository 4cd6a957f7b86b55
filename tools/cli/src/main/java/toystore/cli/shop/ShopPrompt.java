package toystore.cli.shop;

import java.io.Console;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.UserInterruptException;
import org.jspecify.annotations.Nullable;
import toystore.cli.command.CommandRefusal;

/// Asks the user for input.
interface ShopPrompt {
  String line(String label);

  /// As [#line], without showing what is typed: for passwords and cards.
  String readHidden(String label);

  /// Whether this process can ask its user.
  static boolean hasTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  /// Asks at a terminal.
  record AtTerminal(LineReader reader) implements ShopPrompt {
    private static final char NO_ECHO = '\0';

    @Override
    public String line(String label) {
      return read(label, null);
    }

    @Override
    public String readHidden(String label) {
      return read(label, NO_ECHO);
    }

    private String read(String label, @Nullable Character mask) {
      try {
        return reader.readLine(label + ": ", mask);
      } catch (UserInterruptException | EndOfFileException cancelled) {
        throw new CommandRefusal("cancelled; nothing was sent");
      }
    }
  }
}
