package toystore.reference;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import toystore.bazaar.v1.LookupRequest;
import toystore.bazaar.v1.LookupResponse;
import toystore.bazaar.v1.StockBazaarGrpc;

/// A gRPC server with one unary method, whose messages are empty. It runs callbacks on the threads
/// of the network.
public final class GrpcFloor extends StockBazaarGrpc.StockBazaarImplBase {
  private GrpcFloor() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .directExecutor()
            .addService(new GrpcFloor())
            .build()
            .start();
    System.out.println("ready grpc://127.0.0.1:" + server.getPort());
    server.awaitTermination();
  }

  @Override
  public void lookup(LookupRequest request, StreamObserver<LookupResponse> response) {
    response.onNext(LookupResponse.getDefaultInstance());
    response.onCompleted();
  }
}
