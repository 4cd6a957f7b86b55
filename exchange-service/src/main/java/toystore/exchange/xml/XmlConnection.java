package toystore.exchange.xml;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs on its own thread. The server may end it from another one.
final class XmlConnection {
  private static final Logger log = LoggerFactory.getLogger(XmlConnection.class);
  private static final int PIPELINED = 500; // commands of requests that are answered together
  private static final int SMALL = 512; // a request whose commands need no reservation
  private static final int WRITTEN_AT_ONCE = 1 << 14;
  private static final int MAX_ANSWER = 1 << 22; // with a length line, which counts all of it
  private static final int LARGE_ANSWER = 1 << 16;
  private static final int RESULT_BYTES = 400; // of a result in memory, approximately
  private static final int MAX_DISCARDED = 1 << 22;
  private static final Duration LINGER = Duration.ofSeconds(2);
  private static final Duration LINGER_AT_STOP = Duration.ofMillis(200);
  private static final Duration RECENT = Duration.ofSeconds(1);

  private final Socket socket;
  private final XmlGateway gateway;
  private final FrameReader frames;
  private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.now(State.BUSY));
  private volatile boolean stopping;
  private long reserved; // of the heap for the commands of a large request
  private long held; // of the heap for commands and answers

  /// In WAITING no request is received, executed or answered.
  private enum State {
    WAITING,
    BUSY,
    WRITING,
    CLOSED
  }

  /// Another thread replaces only the phase that it saw.
  private record Phase(State state, long began) {
    static Phase now(State state) {
      return new Phase(state, System.nanoTime());
    }
  }

  XmlConnection(Socket socket, XmlGateway gateway) {
    this.socket = socket;
    this.gateway = gateway;
    this.frames = new FrameReader(socket, gateway.limits(), gateway.memory());
  }

  void serve() {
    try (socket;
        frames) {
      socket.setTcpNoDelay(true);
      Duration wait = gateway.limits().idle();
      while (awaitRequest(wait) && answerRequests()) {
        wait = gateway.limits().keepAlive();
      }
      if (phase.get().state() != State.CLOSED) {
        endAnswers();
      }
    } catch (IOException e) {
      log.debug("a connection ended: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean awaitRequest(Duration time) throws IOException {
    if (frames.hasBytes()) {
      return !stopping;
    }
    Phase waiting = Phase.now(State.WAITING);
    phase.set(waiting);
    boolean received = !stopping && frames.await(time);
    return phase.compareAndSet(waiting, Phase.now(State.BUSY)) && received;
  }

  /// With those behind it that have already arrived.
  ///
  /// @return whether another request may follow
  private boolean answerRequests() throws IOException, InterruptedException {
    var requests = new ArrayList<ParsedRequest>();
    var children = new ArrayList<RequestChild>();
    boolean valid = true;
    try {
      do {
        ParsedRequest request = read();
        gateway.count(request);
        requests.add(request);
        switch (request) {
          case ParsedRequest.Valid it -> children.addAll(it.children());
          case ParsedRequest.Malformed _ -> valid = false;
        }
      } while (valid
          && reserved == 0
          && children.size() < PIPELINED
          && !gateway.memory().isExceeded()
          && frames.hasDocument(SMALL));
      answer(requests, gateway.pipeline(children.iterator()));
      return valid;
    } finally {
      gateway.parsed().release(reserved);
      reserved = 0;
      hold(0);
    }
  }

  private ParsedRequest read() throws IOException, InterruptedException {
    return switch (frames.read()) {
      case RequestFrame.Document document when document.length() <= SMALL ->
          gateway.parse(document);
      case RequestFrame.Document document -> readLarge(document);
      case RequestFrame.Unreadable unreadable -> new ParsedRequest.Malformed(unreadable.message());
    };
  }

  /// Waits for heap, if other large requests have taken it.
  private ParsedRequest readLarge(RequestFrame.Document document) throws InterruptedException {
    long most = RequestParser.heapBytes(document.length());
    if (!gateway.parsed().reserve(most, gateway.limits().deadline().toNanos())) {
      return new ParsedRequest.Malformed(FrameReader.OVERLOADED);
    }
    reserved = most;
    ParsedRequest request = gateway.parse(document);
    long needed =
        request instanceof ParsedRequest.Valid(var children)
            ? Math.min(most, RequestParser.heapBytesOf(children.size()))
            : 0;
    gateway.parsed().release(reserved - needed);
    reserved = needed;
    return request;
  }

  /// Counts what this connection takes for commands and answers from now on.
  private void hold(long bytes) {
    gateway.memory().add(bytes - held);
    held = bytes;
  }

  private void answer(List<ParsedRequest> requests, CommandPipeline pipeline)
      throws IOException, InterruptedException {
    boolean whole = gateway.limits().lengthLine();
    var results =
        new ResultsWriter(
            whole,
            it -> {
              if (!whole) {
                send(it, pipeline);
              }
            });
    for (ParsedRequest request : requests) {
      results.begin();
      switch (request) {
        case ParsedRequest.Malformed malformed -> results.writeMalformed(malformed.message());
        case ParsedRequest.Valid valid -> {
          for (RequestChild child : valid.children()) {
            pipeline.next(child, results);
            hold(results.heapBytes() + (long) RESULT_BYTES * pipeline.outstanding());
            boolean crowded = gateway.memory().isExceeded();
            if (whole) {
              checkLength(results.length(), crowded);
            } else if (results.length() > (crowded ? 0 : ResultsWriter.FULL)) {
              send(results, pipeline);
            }
          }
        }
      }
      results.end();
    }
    send(results, pipeline);
  }

  private static void checkLength(int length, boolean crowded) throws IOException {
    int most = crowded ? LARGE_ANSWER : MAX_ANSWER;
    if (length > most) {
      throw new IOException(format("answer has more than %d bytes", most));
    }
  }

  private void send(ResultsWriter results, CommandPipeline pipeline) throws IOException {
    byte[] bytes = results.take();
    hold(bytes.length + results.heapBytes() + (long) RESULT_BYTES * pipeline.outstanding());
    for (int at = 0; at < bytes.length; at += WRITTEN_AT_ONCE) {
      phase.set(Phase.now(State.WRITING));
      socket.getOutputStream().write(bytes, at, Math.min(WRITTEN_AT_ONCE, bytes.length - at));
    }
    phase.set(Phase.now(State.BUSY));
  }

  /// Closes the output, then discards input until the client closes. With unread input, the client
  /// could lose the answer.
  private void endAnswers() throws IOException {
    socket.shutdownOutput();
    Duration linger = stopping ? LINGER_AT_STOP : LINGER;
    socket.setSoTimeout((int) linger.toMillis());
    long end = System.nanoTime() + linger.toNanos();
    byte[] discarded = new byte[1024];
    int left = MAX_DISCARDED;
    int count = 0;
    while (count >= 0 && left > 0 && System.nanoTime() < end) {
      count = socket.getInputStream().read(discarded);
      left -= count;
    }
  }

  /// As soon as it has no request. Any thread.
  void stop() {
    stopping = true;
    closeIf(State.WAITING, Duration.ZERO);
  }

  /// If its client does not read its answer. Any thread.
  void closeIfStuck() {
    closeIf(State.WRITING, gateway.isCrowded() ? RECENT : gateway.limits().silence());
  }

  private void closeIf(State state, Duration patience) {
    Phase seen = phase.get();
    if (seen.state() == state
        && System.nanoTime() - seen.began() >= patience.toNanos()
        && phase.compareAndSet(seen, Phase.now(State.CLOSED))) {
      close();
    }
  }

  /// Any thread.
  void close() {
    try {
      socket.close();
    } catch (IOException e) {
      log.debug("a connection did not close: {}", e.toString());
    }
  }
}
