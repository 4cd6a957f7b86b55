package toystore.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
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

  private final Path home = Project.HOME;
  private final Path tree = home.resolve("target/mistakes");
  private final List<PlantedBug> bugs = new ArrayList<>();

  /// The result of a planted bug.
  ///
  /// @param assertion the message of the assertion that detected it; empty: not detected
  private record BugResult(PlantedBug bug, String runTests, String assertion) {
    boolean detected() {
      return !assertion.isEmpty();
    }
  }

  /// @param names of the bugs to plant; empty: all
  PlantedBugRunner(List<String> names) throws IOException {
    try (Stream<Path> patches = Files.list(home.resolve("tools/torture/mistakes"))) {
      for (Path patch : patches.filter(it -> it.toString().endsWith(".patch")).sorted().toList()) {
        var bug = PlantedBug.read(patch);
        if (names.isEmpty() || names.contains(bug.name())) {
          bugs.add(bug);
        }
      }
    }
  }

  /// @return whether every bug was detected and the same tests pass without a bug
  boolean run() throws IOException, InterruptedException {
    makeTree();
    List<BugResult> results = new ArrayList<>();
    boolean allDetected = true;
    var checkedTests = new HashSet<String>();
    for (PlantedBug bug : bugs) {
      if (checkedTests.add(bug.module() + bug.tests())) {
        allDetected &= passesWithoutBug(bug);
      }
    }
    for (PlantedBug bug : bugs) {
      BugResult findResult = test(bug);
      System.out.printf(
          Locale.ROOT,
          "%-9s %-32s %-40s %s%n",
          findResult.detected() ? "detected" : "MISSED",
          bug.name(),
          findResult.runTests(),
          findResult.assertion());
      results.add(findResult);
      allDetected &= findResult.detected();
    }
    write(results);
    return allDetected;
  }

  private void makeTree() throws IOException, InterruptedException {
    if (Files.isDirectory(tree)) {
      git("fetch", "-q", "origin", "HEAD");
      git("reset", "-q", "--hard", "FETCH_HEAD");
    } else {
      Files.createDirectories(tree.getParent());
      run(home, "git", "clone", "-q", "--shared", home.toString(), tree.toString());
    }
  }

  private boolean passesWithoutBug(PlantedBug bug) throws IOException, InterruptedException {
    int code = runTests(bug);
    System.out.printf(
        Locale.ROOT, "%-9s %s %s%n", code == 0 ? "passes" : "FAILS", bug.module(), bug.tests());
    return code == 0;
  }

  private BugResult test(PlantedBug bug) throws IOException, InterruptedException {
    if (git("apply", bug.patch().toString()) != 0) {
      throw new IOException("patch does not apply to the last commit: " + bug.patch());
    }
    try {
      runTests(bug);
      return findResult(bug);
    } finally {
      git("checkout", "-q", "--", ".");
    }
  }

  private int runTests(PlantedBug bug) throws IOException, InterruptedException {
    Path reports = tree.resolve(bug.module()).resolve("target");
    for (String folder : List.of("surefire-reports", "failsafe-reports")) {
      Project.remove(reports.resolve(folder));
    }
    String command =
        "./mvnw -q -B -ntp -P !checks -Dtests.tools=true -pl %s -am"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false"
            + (bug.needsJars() ? " -Dtest=None -Dit.test=%s verify" : " -Dtest=%s test");
    return run(tree, String.format(Locale.ROOT, command, bug.module(), bug.tests()).split(" "));
  }

  private BugResult findResult(PlantedBug bug) throws IOException {
    try (Stream<Path> files = Files.walk(tree.resolve(bug.module()).resolve("target"), 2)) {
      for (Path report : files.filter(PlantedBugRunner::isReport).toList()) {
        for (Node failure : failedAssertions(report)) {
          var said = bug.expectedFailure().matcher(failure.getTextContent());
          if (said.find()) {
            Element test = (Element) failure.getParentNode();
            String name = test.getAttribute("classname").replaceAll(".*\\.", "");
            return new BugResult(
                bug, name + "." + test.getAttribute("name"), said.group().replaceAll("\\s+", " "));
          }
        }
      }
    }
    return new BugResult(bug, bug.tests(), "");
  }

  private static boolean isReport(Path file) {
    return file.getFileName().toString().matches("TEST-.*\\.xml");
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

  /// Writes the results of these bugs and keeps earlier results of other bugs, from this folder or
  /// from docs/guarantees.
  private void write(List<BugResult> results) throws IOException {
    Path file = Files.createDirectories(home.resolve("target/results")).resolve("mistakes.csv");
    var rows = new TreeMap<String, List<String>>();
    Path stored = home.resolve("docs/guarantees/results/mistakes.csv");
    try (var before = FORMAT.parse(Files.newBufferedReader(Files.exists(file) ? file : stored))) {
      before.stream().skip(1).forEach(row -> rows.put(row.get(0), row.toList()));
    }
    for (BugResult it : results) {
      rows.put(
          it.bug().name(),
          List.of(
              it.bug().name(),
              it.bug().description(),
              it.detected() ? "yes" : "no",
              it.runTests(),
              it.assertion(),
              Git.commit()));
    }
    try (var csv = new CSVPrinter(Files.newBufferedWriter(file), FORMAT)) {
      csv.printRecord("mistake", "what", "seen", "test", "assertion", "commit");
      csv.printRecords(rows.values());
    }
  }

  private int git(String... words) throws IOException, InterruptedException {
    return run(tree, Stream.concat(Stream.of("git"), Stream.of(words)).toArray(String[]::new));
  }

  private int run(Path folder, String... command) throws IOException, InterruptedException {
    Path log = home.resolve("target/mistakes.log");
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
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
