import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.GetProductRequest;

/// Prints a product. A gRPC client that needs only JDK 25 and the jars of the built store.
void main(String... args) {
  var channel = Grpc.newChannelBuilder(args[0], InsecureChannelCredentials.create()).build();
  var catalog = CatalogServiceGrpc.newBlockingStub(channel).withDeadlineAfter(Duration.ofSeconds(5));
  var request = GetProductRequest.newBuilder().setName(args[1]).build();
  IO.print(catalog.getProduct(request).getProduct());
  channel.shutdown();
}
