package toystore.cli.shop;

import java.io.Console;
import org.jspecify.annotations.Nullable;
import toystore.cli.command.CommandRefusal;

/// Asks the user for input.
public interface ShopPrompt {
  String line(String label);

  /// As [#line], without showing what is typed: for passwords and cards.
  String readHidden(String label);

  /// Asks at the terminal of this process.
  ///
  /// @param option what to use instead where there is none
  static ShopPrompt atTerminal(String option) {
    Console console = System.console();
    if (console == null || !console.isTerminal()) {
      throw CommandRefusal.noTerminal("there is no terminal to ask at; use " + option);
    }
    return new ShopPrompt() {
      @Override
      public String line(String label) {
        return typed(console.readLine("%s: ", label));
      }

      @Override
      public String readHidden(String label) {
        char[] typed = console.readPassword("%s: ", label);
        return typed(typed == null ? null : new String(typed));
      }
    };
  }

  private static String typed(@Nullable String line) {
    if (line == null) {
      throw new CommandRefusal("cancelled; nothing was sent");
    }
    return line;
  }
}
