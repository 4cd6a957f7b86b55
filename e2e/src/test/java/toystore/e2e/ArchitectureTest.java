package toystore.e2e;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.LocationProvider;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import toystore.platform.service.ServiceDescriptor;

/// What may depend on what, in every module that the root pom names, tools too. A module is where a
/// class was compiled, whatever its package is. Which modules are services, the descriptors say.
@AnalyzeClasses(locations = ArchitectureTest.AllModules.class)
class ArchitectureTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern COMPILED = Pattern.compile("/([^/]+)/target/classes/");
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final List<ServiceDescriptor> SERVICES = services();
  private static final Set<String> PROGRAMS =
      SERVICES.stream().map(ServiceDescriptor::program).collect(Collectors.toSet());

  /// Which modules each may see; nothing but a service goes without a line here.
  private static final Map<String, Set<String>> BELOW = below();

  /// What is not domain in a service with a state of its own: names that end so...
  private static final Pattern NOT_DOMAIN =
      Pattern.compile(
          ".*(Rpc|Client|Store|Ledger|Audit|Settings|Application|Configuration|Controller|Health|Errors"
              // ...and: a server of its own, JSON in a column, a thread that follows another
              // service, a cache that is measured
              + "|\\.LineDoor|\\.Rows|\\.Follower|\\.RecentOrders)");

  /// The compiled classes of all modules. Those of a module that this build leaves out are missing.
  static final class AllModules implements LocationProvider {
    @Override
    public Set<Location> get(Class<?> test) {
      return modules()
          .map(it -> ROOT.resolve(it).resolve("target/classes"))
          .filter(Files::exists)
          .map(Location::of)
          .collect(Collectors.toSet());
    }
  }

  @ArchTest
  static void everyModuleOfTheProductIsSeen(JavaClasses all) {
    Set<String> seen = all.stream().map(ArchitectureTest::moduleOf).collect(Collectors.toSet());
    assertThat(seen).containsAll(PROGRAMS).contains("proto", "platform", "store", "cli", "torture");
  }

  @ArchTest
  static final ArchRule modulesDependDownOnly = classes().should(dependOnModulesBelowOnly());

  /// It starts in a moment because it loads nothing else of what services stand on.
  @ArchTest
  static final ArchRule theLauncherReadsDescriptorsOnly =
      noClasses()
          .that(isIn(Set.of("cli")))
          .should()
          .dependOnClassesThat(
              describe(
                  "are platform's, but no descriptor",
                  it ->
                      moduleOf(it).equals("platform")
                          && !topLevel(it).equals(ServiceDescriptor.class.getName())));

  @ArchTest
  static final ArchRule packagesOfThePlatformDependInOneDirection =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage("toystore.platform..")
          .withOptionalLayers(true)
          .layer("storage")
          .definedBy("toystore.platform.storage..")
          .layer("idempotency")
          .definedBy("toystore.platform.idempotency..")
          .layer("rpc")
          .definedBy("toystore.platform.rpc..")
          .layer("service")
          .definedBy("toystore.platform.service..")
          .layer("telemetry")
          .definedBy("toystore.platform.telemetry..")
          .whereLayer("idempotency")
          .mayOnlyBeAccessedByLayers("rpc", "service", "telemetry")
          .whereLayer("rpc")
          .mayOnlyBeAccessedByLayers("service", "telemetry")
          .whereLayer("service")
          .mayOnlyBeAccessedByLayers("telemetry")
          .whereLayer("telemetry")
          .mayNotBeAccessedByAnyLayer();

  @ArchTest
  static final ArchRule onlyTheEdgeSpeaksProto =
      noClasses()
          .that(isIn(product()))
          .and()
          .resideOutsideOfPackages("toystore.platform.rpc..", "toystore..v1..")
          .and(
              isNamed(
                  ".*(Rpc|Client|\\.Administrator(Token)?)", false)) // the latter hand on a token
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("toystore..v1..", "io.grpc.stub..", "com.google.protobuf..");

  @ArchTest
  static final ArchRule domainIsPlainJava =
      noClasses()
          .that(isIn(stateful()))
          .and(isNamed(NOT_DOMAIN.pattern(), false))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.springframework..",
              "io.grpc..",
              "com.google.protobuf..",
              "toystore..v1..",
              "java.sql..",
              "org.sqlite..",
              "tools.jackson..",
              "io.micrometer..",
              "jakarta..");

  /// A connection may be handed on; a statement is made where the tables are known. An audit looks
  /// into all tables at once. Tools that look into a store's files from outside do so in the three
  /// classes that are named; the launcher's backup is such a one, since SQLite alone copies a file
  /// that is in use.
  @ArchTest
  static final ArchRule sqlIsInStoresOnly =
      noClasses()
          .that()
          .resideOutsideOfPackage("toystore.platform.storage..")
          .and(
              isNamed(
                  ".*(Store|Ledger|Audit|\\.IdempotencyRecords)|.*\\.cli\\.BackupStore|.*\\.torture\\.CutLogs"
                      + "|.*\\.bazaarlab\\.SqliteDisk",
                  false))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("org.sqlite..")
                  .or(assignableTo(java.sql.Statement.class))
                  .or(assignableTo(java.sql.ResultSet.class))
                  .or(assignableTo(java.sql.DriverManager.class)));

  /// Such a class would break with the framework's next patch. Tomcat documents one to be
  /// subclassed: how it reports an error that no application saw.
  @ArchTest
  static final ArchRule frameworksAreConfiguredNotSubclassed =
      noClasses()
          .that(isNamed(".*\\.ErrorValve", false))
          .should()
          .beAssignableTo(
              resideInAnyPackage(
                  "org.apache.coyote..",
                  "org.apache.catalina..",
                  "org.apache.tomcat..",
                  "io.grpc.internal..",
                  "io.grpc.netty..",
                  "org.springframework.boot.tomcat.."));

  @ArchTest
  static final ArchRule theContainerIsKnownToItsConfigurationOnly =
      noClasses()
          .that(isNamed(".*(Configuration|\\.ErrorValve|\\.Errors)", false))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.coyote..", "org.apache.catalina..", "org.apache.tomcat..");

  @ArchTest
  static final ArchRule rpcClassesStayPrivate =
      classes().that(isIn(PROGRAMS)).and().haveSimpleNameEndingWith("Rpc").should().notBePublic();

  private static ArchCondition<JavaClass> dependOnModulesBelowOnly() {
    return new ArchCondition<>("depend on the modules below their own only") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        String module = moduleOf(type);
        Set<String> below = BELOW.getOrDefault(module, Set.of());
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          String other = moduleOf(dependency.getTargetClass());
          if (!other.isEmpty() && !other.equals(module) && !below.contains(other)) {
            events.add(
                SimpleConditionEvent.violated(
                    type, module + " → " + other + ": " + dependency.getDescription()));
          }
        }
      }
    };
  }

  private static Map<String, Set<String>> below() {
    var below = new HashMap<String, Set<String>>();
    below.put("platform", Set.of("proto"));
    PROGRAMS.forEach(it -> below.put(it, Set.of("proto", "platform")));
    below.put("store", union(PROGRAMS, "proto", "platform"));
    below.put("cli", Set.of("proto", "platform"));
    below.put("testkit", Set.of("proto", "platform"));
    below.put("torture", union(PROGRAMS, "proto", "platform", "testkit")); // breaks from within
    below.put("gatling", Set.of("proto", "testkit"));
    below.put("bazaar-lab", Set.of("proto", "testkit", "gatling"));
    return below;
  }

  private static Set<String> product() {
    return union(PROGRAMS, "proto", "platform", "store");
  }

  private static Set<String> stateful() {
    return SERVICES.stream()
        .filter(ServiceDescriptor::database)
        .map(ServiceDescriptor::program)
        .collect(Collectors.toSet());
  }

  private static Set<String> union(Set<String> some, String... others) {
    return Stream.concat(some.stream(), Stream.of(others)).collect(Collectors.toSet());
  }

  private static DescribedPredicate<JavaClass> isIn(Set<String> modules) {
    return describe("are in " + modules, it -> modules.contains(moduleOf(it)));
  }

  /// A class, or one inside such a class.
  private static DescribedPredicate<JavaClass> isNamed(String pattern, boolean wanted) {
    return describe(
        (wanted ? "are named " : "are not named ") + pattern,
        it -> topLevel(it).matches(pattern) == wanted);
  }

  private static String topLevel(JavaClass type) {
    return type.getName().replaceFirst("\\$.*", "");
  }

  /// Where a class was compiled; empty for one that is not ours.
  private static String moduleOf(JavaClass type) {
    return type.getSource()
        .map(it -> COMPILED.matcher(it.getUri().toString()))
        .filter(it -> it.find())
        .map(it -> it.group(1))
        .orElse("");
  }

  private static Stream<String> modules() {
    try {
      return MODULE
          .matcher(Files.readString(ROOT.resolve("pom.xml")))
          .results()
          .map((MatchResult it) -> it.group(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<ServiceDescriptor> services() {
    try {
      return ServiceDescriptor.ofProject(ROOT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
