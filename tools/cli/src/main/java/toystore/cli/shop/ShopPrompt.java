package toystore.cli.shop;

import java.util.function.Function;
import toystore.cli.command.CommandRefusal;

/// Asks the user for input.
interface ShopPrompt {
  String line(String label);

  /// As [#line], without showing what is typed: for passwords and cards.
  String hidden(String label);

  /// Whether this process can ask its user.
  static boolean hasTerminal() {
    var console = System.console();
    return console != null && console.isTerminal();
  }

  /// Asks at the terminal of this process.
  ///
  /// @param option what to use instead where there is no terminal
  static ShopPrompt atTerminal(String option) {
    return new ShopPrompt() {
      @Override
      public String line(String label) {
        return read(console -> console.readLine("%s: ", label));
      }

      @Override
      public String hidden(String label) {
        return read(console -> {
          var typed = console.readPassword("%s: ", label);
          return typed == null ? null : new String(typed);
        });
      }

      private String read(
          Function<java.io.Console, @org.jspecify.annotations.Nullable String> from) {
        var console = System.console();
        if (console == null || !console.isTerminal()) {
          throw CommandRefusal.noTerminal("there is no terminal to ask at; use " + option);
        }
        var typed = from.apply(console);
        if (typed == null) {
          throw new CommandRefusal("cancelled; nothing was sent");
        }
        return typed;
      }
    };
  }
}
