package toystore.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
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
import java.lang.ProcessBuilder.Redirect;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;
import toystore.bazaar.v1.StockBazaarGrpc;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.clients.Conditions;
import toystore.clients.FreePorts;
import toystore.clients.RawClient;
import toystore.order.v1.OrderServiceGrpc;
import toystore.store.StoreApplication;

/// Runs the commands in documents, each document against a fresh store, and compares the answers
/// with the documented ones.
class ReadmeTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern BLOCK = Pattern.compile("(?s)```console\n(.*?)```");
  private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");
  private static final Pattern TIME =
      Pattern.compile("\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z\"");

  /// A time in XML.
  private static final Pattern SECONDS = Pattern.compile("(?<= time=)\"\\d{10}\"");

  private static final Pattern TOKEN = Pattern.compile("(?<=\"token\":)\"([\\w-]{43})\"");

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  @TempDir Path data;

  private final int catalogPort = FreePorts.free();
  private final int orderPort = FreePorts.free();
  private final int linePort = FreePorts.free();
  private final int xmlPort = FreePorts.free();

  /// Session tokens by variable.
  private final Map<String, String> tokens = new HashMap<>();

  /// A command and its documented answer.
  record Call(String command, String answer) {}

  @ParameterizedTest
  @CsvSource({
    "README.md, 4",
    "docs/tutorial.md, 6",
    "docs/how-to/api.md, 50",
    "docs/reference/xml.md, 4"
  })
  void documentedCommandsReturnTheDocumentedAnswers(String document, int atLeast) throws Exception {
    List<Call> calls = calls(Files.readString(ROOT.resolve(document)));
    assertThat(calls).hasSizeGreaterThanOrEqualTo(atLeast);
    var answered = new ArrayList<Call>();
    try (var store =
        StoreFixture.starting(
            data,
            "--toystore.catalog.port=" + catalogPort,
            "--toystore.catalog.line-port=" + linePort,
            "--toystore.order.port=" + orderPort,
            "--toystore.exchange.xml-port=" + xmlPort)) {
      for (Call call : calls) {
        answered.add(new Call(call.command, answer(store.store(), call)));
      }
    }
    assertThat(answered).isEqualTo(calls);
  }

  private static List<Call> calls(String document) {
    var calls = new ArrayList<Call>();
    for (Matcher block = BLOCK.matcher(document); block.find(); ) {
      for (String part : block.group(1).split("(?m)^\\$ ")) {
        if (!part.isEmpty()) {
          String[] lines = part.split("\n", 2);
          boolean isGrpc = lines[0].startsWith("grpcurl ");
          String answer = masked(lines[1].strip());
          calls.add(new Call(lines[0], isGrpc ? compact(answer) : answer));
        }
      }
    }
    return calls;
  }

  /// Removes line breaks: grpcurl and protobuf's JSON printer place them differently.
  private static String compact(String json) {
    return JsonMapper.shared().readTree(json).toString();
  }

  /// Masks times and session tokens.
  private static String masked(String answer) {
    String timeless =
        SECONDS.matcher(TIME.matcher(answer).replaceAll("\"TIME\"")).replaceAll("\"TIME\"");
    return TOKEN.matcher(timeless).replaceAll("\"TOKEN\"");
  }

  private String answer(StoreApplication store, Call call) throws Exception {
    var answers = new ArrayList<String>();
    Callable<Boolean> isExpected =
        () -> {
          String answer = answer(store, words(call.command));
          TOKEN
              .matcher(answer)
              .results()
              .forEach(it ->
                  tokens.put(
                      call.command.contains("/sellers/") ? "$SELLER" : "$BUYER", it.group(1)));
          answers.add(masked(answer));
          return answers.getLast().equals(call.answer);
        };
    if (!isExpected.call() && call.command.endsWith("/audit")) {
      Conditions.await(isExpected); // a purchase is captured with a short delay
    }
    return answers.getLast();
  }

  /// Splits a command line into words, as a shell does.
  private Deque<String> words(String line) throws IOException {
    var words = new ArrayDeque<String>();
    String token = Files.readString(data.resolve("admin-token")).strip();
    for (Matcher word = WORD.matcher(line); word.find(); ) {
      String text =
          word.group().replaceAll("^['\"]|['\"]$", "").replace("$(cat data/admin-token)", token);
      for (var session : tokens.entrySet()) {
        text = text.replace(session.getKey(), session.getValue());
      }
      words.add(text);
    }
    return words;
  }

  private String answer(StoreApplication store, Deque<String> words) throws Exception {
    String program = words.remove();
    return switch (program) {
      case "curl" -> curl(store, words);
      case "grpcurl" -> grpcurl(words);
      case "printf" -> line(words);
      case "java" -> java(words);
      default ->
          throw new IllegalArgumentException(
              "unsupported program in a documented command: expected curl, grpcurl, printf or java, got "
                  + program);
    };
  }

  private static String curl(StoreApplication store, Deque<String> words) throws Exception {
    var request = HttpRequest.newBuilder();
    var body = BodyPublishers.noBody();
    String method = "GET";
    while (!words.isEmpty()) {
      String word = words.remove();
      switch (word) {
        case "-s" -> {}
        case "-d" -> {
          body = BodyPublishers.ofString(words.remove());
          method = method.equals("GET") ? "POST" : method;
          request.header("Content-Type", "application/x-www-form-urlencoded");
        }
        case "-X" -> method = words.remove();
        case "-H" -> {
          String[] header = words.remove().split(": ", 2);
          request.header(header[0], header[1]);
        }
        default -> request.uri(uri(store, word));
      }
    }
    request.method(method, body);
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

  /// `java -cp 'target/app/lib/*' FILE ADDRESS ARGUMENT`. Uses the class path of this test.
  private String java(Deque<String> words) throws IOException {
    assertThat(List.of(words.remove(), words.remove())).containsExactly("-cp", "target/app/lib/*");
    var command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path")));
    words.forEach(word -> command.add(word.replace(":9091", ":" + catalogPort)));
    Process process =
        new ProcessBuilder(command)
            .directory(ROOT.toFile())
            .redirectError(Redirect.DISCARD)
            .start();
    return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
  }

  /// `printf TEXT | nc -q 1 HOST PORT`
  private String line(Deque<String> words) throws IOException {
    String text = words.remove().translateEscapes();
    int port =
        switch (words.removeLast()) {
          case "9191" -> linePort;
          case "12345" -> xmlPort;
          case String other -> throw new IllegalArgumentException("unexpected port " + other);
        };
    assertThat(words).containsExactly("|", "nc", "-q", "1", "127.0.0.1");
    return RawClient.exchangeAll(port, text).strip();
  }

  @SuppressWarnings("unchecked") // all our gRPC methods use protobuf messages
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
    Message.Builder builder = requireNonNull(marshaller.getMessagePrototype()).newBuilderForType();
    JsonFormat.parser().merge(json, builder);
    return builder.build();
  }
}
