package toystore.platform.rpc;

import static java.util.Objects.requireNonNull;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import toystore.common.v1.RequestEnvelope;
import toystore.platform.journal.Answer;
import toystore.platform.journal.KeyedCommand;
import toystore.platform.journal.KeyedUnitOfWork;
import toystore.platform.journal.RequestKey;
import toystore.platform.journal.Submitted;
import toystore.platform.storage.SingleWriter;

/// What a command says about itself beside its message: see `RequestEnvelope` in common.proto. A
/// client adds it to a call as an interceptor of the stub, and then asks whether the answer was
/// [#replayed]. A server finds that of the call it serves in [#current], where
/// [EnvelopeInterceptor] has put it, and submits the command with it; or it passes it on to the
/// next service.
///
/// Any thread.
public final class CallEnvelope implements ClientInterceptor {
  static final Metadata.Key<RequestEnvelope> REQUEST =
      Metadata.Key.of(
          "toystore-envelope-bin",
          ProtoUtils.metadataMarshaller(RequestEnvelope.getDefaultInstance()));

  static final Metadata.Key<String> REPLAYED =
      Metadata.Key.of("toystore-replayed", Metadata.ASCII_STRING_MARSHALLER);

  private static final Context.Key<CallEnvelope> CURRENT = Context.key("toystore-envelope");

  private final @Nullable RequestKey key;
  private final @Nullable Instant decideBy;
  private final Context call = Context.current();
  private volatile boolean replayed;

  /// @param key null: a repeat is harmless, or carried out again
  /// @param decideBy time after which the command is not carried out; null: none
  public CallEnvelope(@Nullable RequestKey key, @Nullable Instant decideBy) {
    this.key = key;
    this.decideBy = decideBy;
  }

  /// @param headers have [#REQUEST]
  /// @throws IllegalArgumentException with what was expected and what was received
  static CallEnvelope of(Metadata headers) {
    RequestEnvelope sent = requireNonNull(headers.get(REQUEST));
    return new CallEnvelope(
        sent.hasKey() ? CommonMessages.key(sent.getKey()) : null,
        sent.hasDecideBy() ? CommonMessages.decideBy(sent.getDecideBy()) : null);
  }

  /// That of the call that is served in the current context; an empty one if it has none.
  public static CallEnvelope current() {
    CallEnvelope received = CURRENT.get();
    return received == null ? new CallEnvelope(null, null) : received;
  }

  Context context() {
    return call.withValue(CURRENT, this);
  }

  /// @throws IllegalArgumentException if the call has no key
  public RequestKey key() {
    if (key == null) {
      throw new IllegalArgumentException(
          "the call must have an idempotency key in its metadata "
              + REQUEST.originalName()
              + " (toystore.common.v1.RequestEnvelope), got none");
    }
    return key;
  }

  public @Nullable Instant decideBy() {
    return decideBy;
  }

  /// Whether the client chose the key, so that the call may be repeated.
  public boolean isRepeatable() {
    return key != null && key.clientMade();
  }

  public boolean replayed() {
    return replayed;
  }

  public void markReplayed() {
    replayed = true;
  }

  public boolean isCancelled() {
    return call.isCancelled();
  }

  /// Submits the command of the served call and returns what it made or changed.
  ///
  /// @param commandKey the key of the command; null: a repeat is carried out again
  /// @return fails with an [RpcError] if the command was not carried out
  public <U extends KeyedUnitOfWork, T> CompletionStage<T> submit(
      SingleWriter<U> writer, KeyedCommand<U, T> command, @Nullable RequestKey commandKey) {
    return decide(writer, command, commandKey).thenApply(this::done);
  }

  /// Like [#submit], but a refusal is an answer, too.
  public <U extends KeyedUnitOfWork, T> CompletionStage<Answer<T>> decide(
      SingleWriter<U> writer, KeyedCommand<U, T> command, @Nullable RequestKey commandKey) {
    return writer.submit(submitted(command, commandKey), WriterSpans.of(call));
  }

  public <U extends KeyedUnitOfWork, T> Submitted<U, T> submitted(
      KeyedCommand<U, T> command, @Nullable RequestKey commandKey) {
    return new Submitted<>(command, commandKey, decideBy, call::isCancelled);
  }

  /// @throws io.grpc.StatusRuntimeException with an [RpcError], if the command was not carried out
  public <T> T done(Answer<T> answer) {
    Answer.Done<T> done = CommonMessages.done(answer);
    if (done.replayed()) {
      markReplayed();
    }
    return done.value();
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void start(Listener<A> answer, Metadata headers) {
        if (key != null || decideBy != null) {
          headers.put(REQUEST, toProto());
        }
        super.start(
            new SimpleForwardingClientCallListener<>(answer) {
              @Override
              public void onClose(Status status, Metadata trailers) {
                if (trailers.containsKey(REPLAYED)) {
                  markReplayed();
                }
                super.onClose(status, trailers);
              }
            },
            headers);
      }
    };
  }

  private RequestEnvelope toProto() {
    var envelope = RequestEnvelope.newBuilder();
    if (key != null) {
      envelope.setKey(CommonMessages.toProto(key));
    }
    if (decideBy != null) {
      envelope.setDecideBy(CommonMessages.toProto(decideBy));
    }
    return envelope.build();
  }
}
