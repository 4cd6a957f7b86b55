package toystore.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannelBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.bazaar.v1.LookupRequest;
import toystore.bazaar.v1.LookupResponse;
import toystore.bazaar.v1.StockBazaarGrpc;

/// Floors as the lab starts them: they say where they listen, and answer.
@Tag("long")
class FloorsTest {
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private static Process start(Class<?> floor) throws IOException {
    String libraries = System.getProperty("java.class.path");
    return new ProcessBuilder(JAVA, "-cp", libraries, floor.getName()).start();
  }

  private static URI awaitUrl(Process floor) throws IOException {
    var lines = floor.inputReader();
    String line = lines.readLine();
    while (line != null && !line.startsWith("ready ")) {
      line = lines.readLine();
    }
    return URI.create(String.valueOf(line).substring("ready ".length()));
  }

  @ParameterizedTest
  @ValueSource(classes = {MvcFloor.class, NettyFloor.class})
  void httpFloorAnswers(Class<?> floor) throws IOException, InterruptedException {
    Process process = start(floor);
    try (var client = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(awaitUrl(process).resolve("/empty")).build();
      var response = client.send(request, BodyHandlers.ofString());
      assertThat(response.statusCode() + response.body()).isEqualTo("200{}");
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void grpcFloorAnswers() throws IOException, InterruptedException {
    Process process = start(GrpcFloor.class);
    try {
      var channel =
          ManagedChannelBuilder.forAddress("127.0.0.1", awaitUrl(process).getPort())
              .usePlaintext()
              .build();
      assertThat(
              StockBazaarGrpc.newBlockingStub(channel).lookup(LookupRequest.getDefaultInstance()))
          .isEqualTo(LookupResponse.getDefaultInstance());
      channel.shutdownNow();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
