package toystore.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;
import toystore.bazaar.v1.StockBazaarGrpc;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.order.v1.OrderServiceGrpc;
import toystore.store.StoreApplication;
import toystore.testkit.Conditions;
import toystore.testkit.FreePorts;

/// Runs what README.md shows, in its order, against a fresh store, and compares the answers.
class ReadmeTest {
  private static final Path README = Path.of("../README.md");
  private static final Pattern BLOCK = Pattern.compile("(?s)```console\n(.*?)```");
  private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");
  private static final Pattern TIME =
      Pattern.compile("\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z\"");

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  @TempDir Path data;

  private final int catalogPort = FreePorts.free();
  private final int orderPort = FreePorts.free();
  private final int linePort = FreePorts.free();

  /// A command and the answer that stands below it.
  record Call(String command, String answer) {}

  @Test
  void everyAnswerInTheReadmeIsTheStoresOwn() throws Exception {
    List<Call> calls = calls(Files.readString(README));
    assertThat(calls).hasSizeGreaterThan(10);
    var answered = new ArrayList<Call>();
    try (StoreApplication store =
        StoreApplication.start(
            "--toystore.data=" + data,
            "--toystore.frontend.deadline=20s", // what is tested here is not how fast a busy
            // machine is
            "--toystore.frontend.port=0",
            "--toystore.frontend.management-port=0",
            "--toystore.catalog.port=" + catalogPort,
            "--toystore.catalog.line-port=" + linePort,
            "--toystore.order.port=" + orderPort)) {
      for (Call call : calls) {
        answered.add(new Call(call.command, answer(store, call)));
      }
    }
    assertThat(answered).isEqualTo(calls);
  }

  private static List<Call> calls(String readme) {
    var calls = new ArrayList<Call>();
    for (Matcher block = BLOCK.matcher(readme); block.find(); ) {
      for (String part : block.group(1).split("(?m)^\\$ ")) {
        if (!part.isEmpty()) {
          String[] lines = part.split("\n", 2);
          boolean laidOut = lines[0].startsWith("grpcurl ");
          String answer = timeless(lines[1].strip());
          calls.add(new Call(lines[0], laidOut ? compact(answer) : answer));
        }
      }
    }
    return calls;
  }

  /// Without the line breaks, which grpcurl sets otherwise than protobuf's own printer.
  private static String compact(String json) {
    return JsonMapper.shared().readTree(json).toString();
  }

  private static String timeless(String answer) {
    return TIME.matcher(answer).replaceAll("\"TIME\"");
  }

  private String answer(StoreApplication store, Call call) throws Exception {
    var answers = new ArrayList<String>();
    Callable<Boolean> isExpected =
        () -> {
          answers.add(timeless(answer(store, words(call.command))));
          return answers.getLast().equals(call.answer);
        };
    if (!isExpected.call() && call.command.endsWith("/audit")) {
      Conditions.await(isExpected); // what the order book still has to follow, it has soon
    }
    return answers.getLast();
  }

  /// The words a shell makes of a line.
  private Deque<String> words(String line) throws IOException {
    var words = new ArrayDeque<String>();
    String token = Files.readString(data.resolve("admin-token")).strip();
    for (Matcher word = WORD.matcher(line); word.find(); ) {
      words.add(
          word.group().replaceAll("^['\"]|['\"]$", "").replace("$(cat data/admin-token)", token));
    }
    return words;
  }

  private String answer(StoreApplication store, Deque<String> words) throws Exception {
    String program = words.remove();
    return switch (program) {
      case "curl" -> curl(store, words);
      case "grpcurl" -> grpcurl(words);
      case "printf" -> line(words);
      default -> throw new IllegalArgumentException("this test cannot run " + program);
    };
  }

  private static String curl(StoreApplication store, Deque<String> words) throws Exception {
    var request = HttpRequest.newBuilder();
    while (!words.isEmpty()) {
      String word = words.remove();
      switch (word) {
        case "-s" -> {}
        case "-d" ->
            request
                .POST(BodyPublishers.ofString(words.remove()))
                .header("Content-Type", "application/x-www-form-urlencoded");
        case "-H" -> {
          String[] header = words.remove().split(": ", 2);
          request.header(header[0], header[1]);
        }
        default -> request.uri(uri(store, word));
      }
    }
    try (var http = HttpClient.newHttpClient()) {
      return http.send(request.timeout(TIMEOUT).build(), BodyHandlers.ofString()).body();
    }
  }

  private static URI uri(StoreApplication store, String address) {
    return URI.create(
        address
            .replace(":8080/", ":" + store.port("local.server.port") + "/")
            .replace(":8081/", ":" + store.port("local.management.port") + "/"));
  }

  private String grpcurl(Deque<String> words) throws IOException {
    assertThat(List.of(words.remove(), words.remove())).containsExactly("-plaintext", "-d");
    String json = words.remove();
    String address =
        words.remove().replace(":9091", ":" + catalogPort).replace(":9092", ":" + orderPort);
    MethodDescriptor<Message, Message> method = method(words.remove());
    ManagedChannel channel =
        Grpc.newChannelBuilder(address, InsecureChannelCredentials.create()).build();
    try {
      Message answer =
          ClientCalls.blockingUnaryCall(
              channel, method, CallOptions.DEFAULT, message(method, json));
      return compact(JsonFormat.printer().preservingProtoFieldNames().print(answer));
    } finally {
      channel.shutdownNow();
    }
  }

  /// `printf TEXT | nc -q 1 HOST PORT`
  private String line(Deque<String> words) throws IOException {
    String text = words.remove().translateEscapes();
    assertThat(words).containsExactly("|", "nc", "-q", "1", "127.0.0.1", "9191");
    try (var socket = new Socket("127.0.0.1", linePort)) {
      socket.getOutputStream().write(text.getBytes(UTF_8));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), UTF_8).strip();
    }
  }

  @SuppressWarnings("unchecked") // all methods of our services take and give messages
  private static MethodDescriptor<Message, Message> method(String name) {
    return (MethodDescriptor<Message, Message>)
        Stream.of(
                CatalogServiceGrpc.getServiceDescriptor(),
                OrderServiceGrpc.getServiceDescriptor(),
                StockBazaarGrpc.getServiceDescriptor())
            .flatMap(service -> service.getMethods().stream())
            .filter(method -> method.getFullMethodName().equals(name))
            .findFirst()
            .orElseThrow();
  }

  private static Message message(MethodDescriptor<Message, Message> method, String json)
      throws IOException {
    var marshaller = (PrototypeMarshaller<Message>) method.getRequestMarshaller();
    Message none = marshaller.getMessagePrototype();
    if (none == null) {
      throw new IllegalStateException("a message without a prototype: " + method);
    }
    Message.Builder builder = none.newBuilderForType();
    JsonFormat.parser().merge(json, builder);
    return builder.build();
  }
}
