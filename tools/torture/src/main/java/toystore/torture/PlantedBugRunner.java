package toystore.torture;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import javax.xml.xpath.XPathNodes;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import toystore.clients.Project;

/// Plants bugs, one after another, in a clone of the last commit and runs the unchanged tests on
/// each. A bug is detected if an assertion on the guarantee fails; a compile error, a failed start
/// or a timeout does not count. Without a bug the same tests must pass.
final class PlantedBugRunner {
  private static final int MINUTES = 10;
  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT.builder().setRecordSeparator("\n").get();
  private static final Path TREE = Project.HOME.resolve("target/mistakes");

  private final List<PlantedBug> bugs = new ArrayList<>();

  /// @param names of the bugs to plant; empty: all
  PlantedBugRunner(List<String> names) throws IOException {
    try (Stream<Path> files = Files.list(Project.HOME.resolve("tools/torture/mistakes"))) {
      for (Path patch : files.sorted().toList()) {
        bugs.add(PlantedBug.read(patch));
      }
    }
    bugs.removeIf(it -> !names.isEmpty() && !names.contains(it.name()));
  }

  /// @return whether every bug was detected and the same tests pass without a bug
  boolean run() throws IOException, InterruptedException {
    if (Files.isDirectory(TREE)) {
      git("fetch", "-q", "origin", "HEAD");
      git("reset", "-q", "--hard", "FETCH_HEAD");
    } else {
      Files.createDirectories(TREE.getParent());
      run(Project.HOME, List.of("git", "clone", "-q", "--shared", ".", TREE.toString()));
    }
    boolean well = true;
    Map<String, Boolean> passed = new HashMap<>();
    var rows = new TreeMap<String, List<String>>();
    for (PlantedBug bug : bugs) {
      String tests = bug.module() + " " + bug.tests();
      if (!passed.containsKey(tests)) {
        passed.put(tests, runTests(bug) == 0);
        print(passed.get(tests) ? "passes" : "FAILS", tests, "");
        well &= passed.get(tests);
      }
      if (git("apply", bug.patch().toString()) != 0) {
        throw new IOException("patch does not apply to the last commit: " + bug.patch());
      }
      runTests(bug);
      git("checkout", "-q", "--", ".");
      List<String> found = findFailure(bug);
      print(found.getFirst().equals("yes") ? "detected" : "MISSED", bug.name(), found.getLast());
      well &= found.getFirst().equals("yes");
      rows.put(bug.name(), Stream.concat(Stream.of(bug.description()), found.stream()).toList());
    }
    write(rows);
    return well;
  }

  private static void print(String result, String name, String assertion) {
    System.out.printf(Locale.ROOT, "%-9s %-42s %s%n", result, name, assertion);
  }

  private static int runTests(PlantedBug bug) throws IOException, InterruptedException {
    for (String folder : List.of("surefire-reports", "failsafe-reports")) {
      Project.remove(TREE.resolve(bug.module()).resolve("target").resolve(folder));
    }
    String command =
        "./mvnw -q -B -ntp -P !checks -Dtests.tools=true -pl %s -am"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false"
            + (bug.tests().contains("IT") ? " -Dtest=None -Dit.test=%s verify" : " -Dtest=%s test");
    String words = String.format(Locale.ROOT, command, bug.module(), bug.tests());
    return run(TREE, List.of(words.split(" ")));
  }

  /// Whether an assertion that was expected has failed: `yes` or `no`, in which test, and what it
  /// said.
  private static List<String> findFailure(PlantedBug bug) throws IOException {
    try (Stream<Path> files = Files.walk(TREE.resolve(bug.module()).resolve("target"), 2)) {
      for (Path report : files.filter(it -> it.toString().matches(".*/TEST-.*\\.xml")).toList()) {
        for (Node failure : failedAssertions(report)) {
          Matcher said = bug.expectedFailure().matcher(failure.getTextContent());
          if (said.find()) {
            Element test = (Element) failure.getParentNode();
            String type = test.getAttribute("classname").replaceAll(".*\\.", "");
            String name = type + "." + test.getAttribute("name");
            return List.of("yes", name, said.group().replaceAll("\\s+", " "));
          }
        }
      }
    }
    return List.of("no", bug.tests(), "");
  }

  /// Other failures are `error` elements.
  private static XPathNodes failedAssertions(Path report) throws IOException {
    try {
      return XPathFactory.newDefaultInstance()
          .newXPath()
          .evaluateExpression(
              "//failure[contains(@type, 'Assertion')]",
              new InputSource(report.toUri().toString()),
              XPathNodes.class);
    } catch (XPathExpressionException e) {
      throw new IOException("cannot parse test report " + report, e);
    }
  }

  /// Writes the results of these bugs and keeps earlier results of other bugs, from target/results
  /// or from docs/guarantees.
  private static void write(Map<String, List<String>> results) throws IOException {
    Path file = Files.createDirectories(TrialRunner.RESULTS).resolve("mistakes.csv");
    Path earlier = Files.exists(file) ? file : GuaranteeReport.MISTAKES;
    var rows = new TreeMap<String, List<String>>();
    try (var before = FORMAT.parse(Files.newBufferedReader(earlier))) {
      before.stream().skip(1).forEach(row -> rows.put(row.get(0), row.toList()));
    }
    String commit = TrialRunner.commit();
    results.forEach((name, it) ->
        rows.put(
            name, Stream.of(List.of(name), it, List.of(commit)).flatMap(List::stream).toList()));
    try (var csv = new CSVPrinter(Files.newBufferedWriter(file), FORMAT)) {
      csv.printRecord("mistake", "what", "seen", "test", "assertion", "commit");
      csv.printRecords(rows.values());
    }
  }

  private static int git(String... words) throws IOException, InterruptedException {
    return run(TREE, Stream.concat(Stream.of("git"), Stream.of(words)).toList());
  }

  /// @return the exit code; 1 if it took too long
  private static int run(Path folder, List<String> command)
      throws IOException, InterruptedException {
    File log = Project.HOME.resolve("target/mistakes.log").toFile();
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      return 1;
    }
    return process.exitValue();
  }
}
