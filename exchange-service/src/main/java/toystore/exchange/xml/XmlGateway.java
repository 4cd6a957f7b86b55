package toystore.exchange.xml;

import java.util.Iterator;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import toystore.exchange.ExchangeCommand;
import toystore.exchange.ExchangeResult;

/// What all connections share. Any thread.
final class XmlGateway {
  private final XmlGatewayLimits limits;
  private final Function<ExchangeCommand, CompletionStage<ExchangeResult>> writer;
  private final RequestParser parser = new RequestParser();
  private final BufferMemory memory;
  private final Semaphore permits;
  private final LongAdder requests = new LongAdder();
  private final LongAdder malformedRequests = new LongAdder();

  XmlGateway(
      XmlGatewayLimits limits, Function<ExchangeCommand, CompletionStage<ExchangeResult>> writer) {
    this.limits = limits;
    this.writer = writer;
    this.memory = new BufferMemory(limits.bufferBytes());
    this.permits = new Semaphore(limits.commands());
  }

  XmlGatewayLimits limits() {
    return limits;
  }

  BufferMemory memory() {
    return memory;
  }

  ParsedRequest parse(RequestFrame.Document document) {
    return parser.parse(document.buffer(), document.offset(), document.length());
  }

  CommandPipeline pipeline(Iterator<RequestChild> children) {
    return new CommandPipeline(writer, permits, limits.deadline(), children);
  }

  void received(ParsedRequest request) {
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
}
