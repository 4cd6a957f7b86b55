package toystore.e2e;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
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
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.service.StoreServiceDescriptor;
import toystore.platform.storage.OnlineBackup;
import toystore.platform.storage.OwnerPermissions;
import toystore.platform.text.Utf8;

/// Allowed dependencies between and inside all modules of the root pom, including tools. The module
/// of a class is the folder where it was compiled, whatever its package is. The service descriptors
/// say which modules are services.
@AnalyzeClasses(locations = ArchitectureTest.AllModules.class)
class ArchitectureTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern COMPILED = Pattern.compile("/([^/]+)/target/classes/");
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final List<StoreServiceDescriptor> SERVICES = services();
  private static final Set<String> PROGRAMS =
      SERVICES.stream().map(StoreServiceDescriptor::program).collect(Collectors.toSet());

  /// The modules that each module may depend on. Every module except services needs an entry.
  private static final Map<String, Set<String>> BELOW = below();

  /// Plain Java: the domain, the exchange's engine, the catalog's line protocol.
  private static final String[] DOMAIN = {"..domain..", "..engine..", "..line.."};

  /// The compiled classes of all modules. Modules that this build leaves out are missing.
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
  static void allModulesAreAnalyzed(JavaClasses all) {
    Set<String> seen = all.stream().map(ArchitectureTest::moduleOf).collect(Collectors.toSet());
    assertThat(seen).containsAll(PROGRAMS).contains("proto", "platform", "store", "cli", "torture");
  }

  @ArchTest
  static final ArchRule modulesDependOnLowerModulesOnly =
      classes().should(dependOnModulesBelowOnly());

  /// The launcher starts fast because it loads no other class of the platform; only `backup` loads
  /// OnlineBackup, and only `import` loads Utf8 and CallEnvelope.
  @ArchTest
  static final ArchRule launcherUsesFewClassesOfThePlatform =
      noClasses()
          .that(isIn(Set.of("cli")))
          .should()
          .dependOnClassesThat(
              describe(
                  "are in the platform module and are not StoreServiceDescriptor, OnlineBackup, OwnerPermissions, Utf8 or CallEnvelope",
                  it ->
                      moduleOf(it).equals("platform")
                          && !Set.of(
                                  StoreServiceDescriptor.class.getName(),
                                  OnlineBackup.class.getName(),
                                  OwnerPermissions.class.getName(),
                                  Utf8.class.getName(),
                                  CallEnvelope.class.getName())
                              .contains(topLevel(it))));

  @ArchTest
  static final ArchRule packagesAreFreeOfCycles =
      slices().matching("toystore.(**)").should().beFreeOfCycles();

  /// Except those of the contracts' messages, which a domain may share.
  @ArchTest
  static void simpleNamesAreUnique(JavaClasses all) {
    Map<String, List<String>> names =
        all.stream()
            .filter(it ->
                it.isTopLevelClass()
                    && !it.getSimpleName().equals("package-info")
                    && !moduleOf(it).equals("proto"))
            .collect(
                Collectors.groupingBy(
                    JavaClass::getSimpleName,
                    Collectors.mapping(JavaClass::getName, Collectors.toList())));
    assertThat(names.values()).allMatch(it -> it.size() == 1);
  }

  @ArchTest
  static final ArchRule shopClientDependsOnNoLoad =
      noClasses()
          .that()
          .resideInAPackage("toystore.cli.shop..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("toystore.cli.load..");

  /// The packages of the platform, each with those that may use it.
  @ArchTest
  static void platformPackagesDependInOneDirection(JavaClasses all) {
    Map.of(
            "storage", "journal|rpc|service|telemetry",
            "journal", "rpc|service|telemetry",
            "error", "journal|rpc|service|telemetry",
            "rpc", "service|telemetry",
            "cache", "service|telemetry",
            "service", "telemetry",
            "telemetry", "nothing")
        .forEach((used, users) ->
            noClasses()
                .that(isNamed("toystore\\.platform\\..*", true))
                .and(isNamed("toystore\\.platform\\.(" + used + "|" + users + ")\\..*", false))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("toystore.platform." + used + "..")
                .check(all));
  }

  /// A service has packages by role; its root has the program and its settings.
  @ArchTest
  static final ArchRule servicesHavePackagesByRole =
      classes()
          .that(isIn(stateful()))
          .and(isNamed(".*(Application|Settings|\\.LineProtocolLifecycle|\\.package-info)", false))
          .should()
          .resideInAnyPackage(
              "..domain..",
              "..engine..",
              "..line..",
              "..storage..",
              "..purchases..",
              "..rpc..",
              "..xml..");

  @ArchTest
  static final ArchRule protobufIsUsedInRpcAndClientClassesOnly =
      noClasses()
          .that(isIn(product()))
          .and()
          .resideOutsideOfPackages("toystore.*.rpc..", "toystore..v1..")
          .and(
              isNamed(
                  ".*(Rpc|Client|\\.PeerCalls|\\.Administrator(Token)?)",
                  false)) // the last two pass on a token
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("toystore..v1..", "io.grpc.stub..", "com.google.protobuf..");

  @ArchTest
  static final ArchRule domainIsPlainJava =
      noClasses()
          .that(isIn(stateful()))
          .and(resideInAnyPackage(DOMAIN))
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

  @ArchTest
  static final ArchRule domainDependsOnNoOtherRole =
      noClasses()
          .that(isIn(stateful()))
          .and(resideInAnyPackage(DOMAIN))
          .should()
          .dependOnClassesThat(
              isIn(stateful())
                  .and(resideInAnyPackage("..storage..", "..purchases..", "..rpc..", "..xml..")));

  @ArchTest
  static final ArchRule storageDoesNotDependOnItsCallers =
      noClasses()
          .that(isIn(stateful()))
          .and()
          .resideInAPackage("..storage..")
          .should()
          .dependOnClassesThat(
              isIn(stateful()).and(resideInAnyPackage("..purchases..", "..rpc..", "..xml..")));

  @ArchTest
  static final ArchRule purchasesDoNotDependOnTheirCallers =
      noClasses()
          .that()
          .resideInAPackage("toystore.order.purchases..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("toystore.order.rpc..");

  /// Any class may pass on a connection; only stores create statements. An audit reads all tables.
  /// Tools do so in the classes named here: the launcher's backup, because only SQLite can copy a
  /// file that is in use; and what tests and trials do to a PostgreSQL server.
  @ArchTest
  static final ArchRule sqlIsInStoresOnly =
      noClasses()
          .that()
          .resideOutsideOfPackage("toystore.*.storage..")
          .and(
              isNamed(
                  ".*\\.KeyJournal|.*\\.cli\\.data\\.BackupDatabase"
                      + "|.*\\.testkit\\..*|.*\\.torture\\.postgresql\\.PatroniCluster",
                  false))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("org.sqlite..")
                  .or(assignableTo(java.sql.Statement.class))
                  .or(assignableTo(java.sql.ResultSet.class))
                  .or(assignableTo(java.sql.DriverManager.class)));

  /// A subclass of a framework's internals may break with the framework's next patch. The exception
  /// is Tomcat's valve, which is documented as an extension point.
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
  static final ArchRule tomcatIsUsedInConfigurationOnly =
      noClasses()
          .that(
              isNamed(
                  ".*(Configuration|\\.ErrorValve|\\.ApiExceptionHandler|\\.ConnectionDrain)",
                  false))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.coyote..", "org.apache.catalina..", "org.apache.tomcat..");

  @ArchTest
  static final ArchRule rpcClassesAreNotPublic =
      classes().that(isIn(PROGRAMS)).and().haveSimpleNameEndingWith("Rpc").should().notBePublic();

  private static ArchCondition<JavaClass> dependOnModulesBelowOnly() {
    return new ArchCondition<>("depend on lower modules only") {
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
    below.put("cli", Set.of("proto", "platform", "clients"));
    below.put("clients", Set.of("proto", "platform"));
    below.put("testkit", Set.of("proto", "clients"));
    below.put(
        "torture", union(PROGRAMS, "proto", "platform", "clients")); // injects faults into services
    below.put("lab", Set.of("proto", "clients", "testkit"));
    below.put("gatling", Set.of());
    below.put("references", Set.of("proto"));
    return below;
  }

  private static Set<String> product() {
    return union(PROGRAMS, "proto", "platform", "store");
  }

  private static Set<String> stateful() {
    return SERVICES.stream()
        .filter(StoreServiceDescriptor::database)
        .map(StoreServiceDescriptor::program)
        .collect(Collectors.toSet());
  }

  private static Set<String> union(Set<String> some, String... others) {
    return Stream.concat(some.stream(), Stream.of(others)).collect(Collectors.toSet());
  }

  private static DescribedPredicate<JavaClass> isIn(Set<String> modules) {
    return describe("are in " + modules, it -> modules.contains(moduleOf(it)));
  }

  /// Matches a class or the top-level class around it.
  private static DescribedPredicate<JavaClass> isNamed(String pattern, boolean wanted) {
    return describe(
        (wanted ? "are named " : "are not named ") + pattern,
        it -> topLevel(it).matches(pattern) == wanted);
  }

  private static String topLevel(JavaClass type) {
    return type.getName().replaceFirst("\\$.*", "");
  }

  /// The module where a class was compiled; empty for classes outside this project.
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

  private static List<StoreServiceDescriptor> services() {
    try {
      return StoreServiceDescriptor.ofProject(ROOT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
