package toystore.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FreePortsTest {
  private static final int MORE_THAN_A_ROUND = 60;

  @Test
  void portsOfCallsDiffer() {
    assertThat(IntStream.generate(FreePorts::free).limit(100)).doesNotHaveDuplicates();
  }

  /// Surefire gives the JVMs of modules different folders of temporary files.
  @Test
  void anotherJvmDoesNotGetTheStoreOfThisJvm() throws Exception {
    int store = FreePorts.store();
    assertThat(storesOfAnotherJvm(MORE_THAN_A_ROUND)).doesNotContain(store);
  }

  /// A long run of the lab starts more stores than there are ports.
  @Test
  void portsOfAJvmAreReturnedAgainAfterARound() throws Exception {
    int[] stores = storesOfAnotherJvm(MORE_THAN_A_ROUND);
    assertThat(IntStream.of(stores).skip(50))
        .isSubsetOf(IntStream.of(stores).limit(50).boxed().toList());
  }

  @Test
  void storeWithABusyPortIsNotReturned() throws Exception {
    int store = storesOfAnotherJvm(1)[0];
    try (var _ = new ServerSocket(store + 1_014)) { // of the exchange
      assertThat(storesOfAnotherJvm(MORE_THAN_A_ROUND)).doesNotContain(store);
    }
  }

  private static int[] storesOfAnotherJvm(int calls) throws Exception {
    Process process =
        new ProcessBuilder(
                Project.JAVA,
                "-cp",
                System.getProperty("java.class.path"),
                FreePortsTest.class.getName(),
                Integer.toString(calls))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var reader = process.inputReader(StandardCharsets.US_ASCII)) {
      int[] ports = reader.lines().mapToInt(Integer::parseInt).toArray();
      assertThat(process.waitFor()).isZero();
      assertThat(ports).hasSize(calls);
      return ports;
    }
  }

  public static void main(String[] arguments) {
    IntStream.generate(FreePorts::store)
        .limit(Integer.parseInt(arguments[0]))
        .forEach(System.out::println);
  }
}
