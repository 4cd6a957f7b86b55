package toystore.exchange.xml;

import java.util.Iterator;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import toystore.exchange.domain.ExchangeCommand;
import toystore.exchange.domain.ExchangeRequest.FindOrder;
import toystore.exchange.domain.OpenedOrder.OrderWithTrades;
import toystore.platform.journal.Answer;

/// What all connections share. Any thread. Requests are parsed on a few platform threads, because
/// the JDK's parser keeps its buffers of 16 kB in each thread that used it.
final class XmlGateway implements AutoCloseable {
  /// Of the result of a query with 1,000 executions, and of the part of its text that was not sent
  /// yet.
  static final long READ_BYTES = 200_000;

  interface CommandWriter {
    <T> CompletionStage<Answer<T>> submit(ExchangeCommand<T> command);
  }

  private final XmlGatewayLimits limits;
  private final CommandWriter writer;
  private final Function<FindOrder, CompletionStage<Answer<OrderWithTrades>>> reader;
  private final RequestParser parser = new RequestParser();
  private final ExecutorService parsers; // a connection queues at most one request
  private final BufferMemory memory;
  private final BufferMemory parsed;
  private final BufferMemory reads;
  private final Semaphore permits;
  private final LongAdder requests = new LongAdder();
  private final LongAdder malformedRequests = new LongAdder();

  XmlGateway(
      XmlGatewayLimits limits,
      CommandWriter writer,
      Function<FindOrder, CompletionStage<Answer<OrderWithTrades>>> reader) {
    this.limits = limits;
    this.writer = writer;
    this.reader = reader;
    this.parsers =
        Executors.newFixedThreadPool(
            Runtime.getRuntime().availableProcessors(),
            Thread.ofPlatform().name("xml-parser-", 0).daemon().factory());
    this.memory = new BufferMemory(limits.bufferBytes());
    this.parsed =
        new BufferMemory(
            Math.max(limits.bufferBytes(), RequestParser.heapBytes(limits.requestBytes())));
    this.reads = new BufferMemory(Math.max(limits.bufferBytes() / 2, READ_BYTES));
    this.permits = new Semaphore(limits.commands());
  }

  XmlGatewayLimits limits() {
    return limits;
  }

  /// For requests, and for answers that are not sent yet.
  BufferMemory memory() {
    return memory;
  }

  /// For the commands of large requests.
  BufferMemory parsed() {
    return parsed;
  }

  /// For results of queries.
  BufferMemory reads() {
    return reads;
  }

  /// For commands that wait for the writer.
  Semaphore permits() {
    return permits;
  }

  /// Whether others wait for heap, so that a client that reads nothing must be closed soon.
  boolean isCrowded() {
    return memory.isExceeded() || parsed.isAwaited() || reads.isAwaited();
  }

  <T> CompletionStage<Answer<T>> execute(ExchangeCommand<T> command) {
    return writer.submit(command);
  }

  CompletionStage<Answer<OrderWithTrades>> find(FindOrder query) {
    return reader.apply(query);
  }

  ParsedRequest parse(RequestFrame.Document document) throws InterruptedException {
    try {
      return parsers
          .submit(() -> parser.parse(document.buffer(), document.offset(), document.length()))
          .get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("parsing failed", e.getCause());
    }
  }

  CommandPipeline pipeline(Iterator<RequestChild> children) {
    return new CommandPipeline(this, children);
  }

  void count(ParsedRequest request) {
    requests.increment();
    if (request instanceof ParsedRequest.Malformed) {
      malformedRequests.increment();
    }
  }

  long requests() {
    return requests.sum();
  }

  long malformedRequests() {
    return malformedRequests.sum();
  }

  /// When no connection is open any more.
  @Override
  public void close() {
    parsers.close();
  }
}
