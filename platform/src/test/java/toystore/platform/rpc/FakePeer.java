package toystore.platform.rpc;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import toystore.catalog.v1.Sale;
import toystore.multiplex.v1.Call;
import toystore.multiplex.v1.ConnectRequest;
import toystore.multiplex.v1.ConnectResponse;
import toystore.multiplex.v1.MultiplexServiceGrpc;
import toystore.multiplex.v1.Result;
import toystore.order.v1.GetOrderRequest;
import toystore.order.v1.GetOrderResponse;

/// A peer without a network, whose answers the test sends: streams, and unary calls of `GetOrder`.
/// Any thread.
final class FakePeer extends Channel {
  final Queue<FakeCall<ConnectRequest, ConnectResponse>> streams = new ConcurrentLinkedQueue<>();
  final Queue<FakeCall<GetOrderRequest, GetOrderResponse>> unary = new ConcurrentLinkedQueue<>();

  @Override
  @SuppressWarnings("unchecked") // the method has the types
  public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
    var call = new FakeCall<Q, A>();
    if (method == (Object) MultiplexServiceGrpc.getConnectMethod()) {
      streams.add((FakeCall<ConnectRequest, ConnectResponse>) call);
    } else {
      unary.add((FakeCall<GetOrderRequest, GetOrderResponse>) call);
    }
    return call;
  }

  @Override
  public String authority() {
    return "fake";
  }

  /// The numbers of the orders that were asked for, in each call that has arrived.
  List<Long> received() {
    var numbers = new ArrayList<Long>();
    streams.forEach(stream -> calls(stream).forEach(it -> numbers.add(number(it))));
    unary.forEach(call -> call.requests.forEach(it -> numbers.add(it.getNumber())));
    return numbers;
  }

  /// Answers the calls that have arrived on a stream, as far as it is open.
  static void answer(FakeCall<ConnectRequest, ConnectResponse> stream) {
    var response = ConnectResponse.newBuilder();
    for (Call call : calls(stream)) {
      response.addResults(
          Result.newBuilder()
              .setId(call.getId())
              .setMessage(response(number(call)).toByteString()));
    }
    stream.send(response.build());
  }

  void answerAll() {
    streams.forEach(FakePeer::answer);
    for (var call : unary) {
      call.requests.forEach(it -> call.send(response(it.getNumber())));
      call.close(Status.OK);
    }
  }

  private static List<Call> calls(FakeCall<ConnectRequest, ConnectResponse> stream) {
    return stream.requests.stream().flatMap(it -> it.getCallsList().stream()).toList();
  }

  private static long number(Call call) {
    try {
      return GetOrderRequest.parseFrom(call.getMessage()).getNumber();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  private static GetOrderResponse response(long number) {
    return GetOrderResponse.newBuilder().setOrder(Sale.newBuilder().setNumber(number)).build();
  }
}
