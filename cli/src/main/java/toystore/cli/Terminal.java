package toystore.cli;

/// Asks the person at the terminal, where there is one.
interface Terminal {
  /// Whether the answer is yes. No terminal to ask at: refused, since nobody agreed.
  boolean agrees(String question);

  /// The terminal this program was started at.
  static Terminal ofThisProcess() {
    return question -> {
      var console = System.console();
      if (console == null || !console.isTerminal()) {
        throw new Refused("no terminal to ask at: give --yes to go on without being asked");
      }
      var answer = console.readLine("%s [y/N] ", question);
      return answer != null && answer.strip().toLowerCase(java.util.Locale.ROOT).matches("y|yes");
    };
  }
}
