package toystore.cli.shop;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import picocli.AutoComplete;
import picocli.CommandLine;

/// The interactive session of `shop`: reads commands with history and completion until `exit` or
/// the end of the input. A line is put into the history only if it was a valid command line, so
/// that a password or a card number typed at the wrong place is not kept.
///
/// @param commands makes the command line, given what asks for hidden input
record ShopShell(ShopFolder folder, User user, Function<ShopPrompt, CommandLine> commands) {
  /// Who is logged in, for the prompt.
  interface User {
    String name() throws IOException;
  }

  private static final int INVALID = 2;
  private static final int MAX_HISTORY = 1_000;
  private static final List<String> END = List.of("exit", "quit");

  /// Runs the session.
  ///
  /// @return the exit code of the program
  int run() throws IOException {
    try (Terminal terminal = TerminalBuilder.builder().name("shop").build()) {
      CommandLine line =
          commands.apply(new ShopPrompt.AtTerminal(reader(terminal).build())).setCommandName("");
      LineReader reader =
          reader(terminal)
              .variable(LineReader.HISTORY_FILE, folder.history())
              .variable(LineReader.HISTORY_FILE_SIZE, MAX_HISTORY)
              .completer((_, typed, candidates) ->
                  complete(line, typed.words(), typed.wordIndex(), typed.wordCursor(), candidates))
              .build();
      terminal.writer().println("help lists the commands; exit or Ctrl-D ends the session");
      while (readAndRun(reader, line)) {
        reader.getHistory().save();
      }
      return 0;
    }
  }

  static LineReaderBuilder reader(Terminal terminal) {
    return LineReaderBuilder.builder()
        .terminal(terminal)
        .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
        .variable(LineReader.DISABLE_HISTORY, true); // lines are added one by one below
  }

  /// @return false at the end of the session
  private boolean readAndRun(LineReader reader, CommandLine line) throws IOException {
    try {
      String typed = reader.readLine(user.name() + "> ");
      var words = new ArrayList<>(reader.getParsedLine().words());
      words.removeIf(String::isEmpty);
      if (words.isEmpty()) {
        return true;
      }
      if (END.contains(words.getFirst())) {
        return false;
      }
      if (line.execute(words.toArray(String[]::new)) != INVALID) {
        remember(reader, typed);
      }
      return true;
    } catch (UserInterruptException cancelled) {
      return true;
    } catch (EndOfFileException end) {
      return false;
    }
  }

  private static void remember(LineReader reader, String typed) {
    reader.setVariable(LineReader.DISABLE_HISTORY, false);
    reader.getHistory().add(typed);
    reader.setVariable(LineReader.DISABLE_HISTORY, true);
  }

  private static void complete(
      CommandLine line, List<String> words, int word, int cursor, List<Candidate> candidates) {
    var found = new ArrayList<CharSequence>();
    AutoComplete.complete(
        line.getCommandSpec(), words.toArray(String[]::new), word, cursor, cursor, found);
    String typed = words.get(word).substring(0, cursor);
    found.forEach(rest -> candidates.add(new Candidate(typed + rest)));
  }
}
