package toystore.cli.data;

import static toystore.common.RootLocale.format;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.catalog.v1.CatalogAdminServiceGrpc.CatalogAdminServiceBlockingStub;
import toystore.catalog.v1.ImportProductsRequest;
import toystore.catalog.v1.ProductChange;
import toystore.cli.command.CommandRefusal;
import toystore.cli.command.YesOption;
import toystore.cli.launch.RunningStore;
import toystore.cli.launch.Services;
import toystore.cli.launch.StoreLayout;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.text.Utf8;

/// `./toystore import`: adds and changes products of a running store, after showing the changes.
@Command(
    name = "import",
    description = "Add and change products from a CSV file, after showing the changes.")
@SuppressWarnings("NullAway.Init") // picocli sets the file
public final class ImportCommand implements Callable<Integer> {
  private static final int MAX_BYTES = 16_000_000; // the catalog takes 16 MB with the rest
  private static final int MAX_ANSWER = 64 << 20; // 100,000 changes with long names fit
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final String STDIN = "-";
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  @Parameters(
      paramLabel = "FILE",
      description =
          "CSV in UTF-8 with a header: name,price,quantity[,category,max_volume]. With -, standard"
              + " input; it needs --yes.")
  private String file;

  @Mixin private final RunningStore store = new RunningStore();

  @Mixin private final YesOption yes = new YesOption();

  @Override
  public Integer call() throws IOException {
    if (file.equals(STDIN)) {
      yes.require("import - reads the products from standard input; use --yes to confirm");
    }
    int port = store.ports().of(Services.ofProject().catalog());
    String csv = read();
    var headers = new Metadata();
    headers.put(AUTHORIZATION, "Bearer " + store.folder().readAdminToken());
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(StoreLayout.LOOPBACK, port)
            .usePlaintext()
            .proxyDetector(_ -> null) // ignore the HTTP proxy settings of the environment
            .maxInboundMessageSize(MAX_ANSWER)
            .intercept(MetadataUtils.newAttachHeadersInterceptor(headers))
            .build();
    try {
      System.out.println(run(CatalogAdminServiceGrpc.newBlockingStub(channel), csv));
      return 0;
    } catch (StatusRuntimeException e) {
      throw refusal(e.getStatus());
    } finally {
      channel.shutdownNow();
    }
  }

  private String run(CatalogAdminServiceBlockingStub catalog, String csv) {
    var request = ImportProductsRequest.newBuilder().setCsv(csv);
    List<ProductChange> changes = importProducts(catalog, request.setDryRun(true));
    if (changes.isEmpty()) {
      return "no changes: all products already match the file";
    }
    for (ProductChange change : changes) {
      System.out.println(change.getAfter().getName() + ": " + change.getDifferences());
      request
          .addSeenBuilder()
          .setName(change.getAfter().getName())
          .setDifferences(change.getDifferences());
    }
    if (!yes.confirms(format("apply these %,d changes?", changes.size()))) {
      throw new CommandRefusal("cancelled; nothing was changed");
    }
    importProducts(catalog, request.setDryRun(false));
    return format("imported: %,d products changed", changes.size());
  }

  private static List<ProductChange> importProducts(
      CatalogAdminServiceBlockingStub catalog, ImportProductsRequest.Builder request) {
    return catalog
        .withDeadlineAfter(DEADLINE)
        .withInterceptors(new CallEnvelope(null, Instant.now().plus(DEADLINE)))
        .importProducts(request.build())
        .getChangesList();
  }

  /// The reason of a failed call: a line, or several if a file has several invalid lines.
  private CommandRefusal refusal(Status status) {
    if (status.getCode() == Status.Code.UNAVAILABLE && status.getCause() != null) {
      return new CommandRefusal("cannot reach the catalog: " + status.getCause().getMessage());
    }
    String reason =
        status.getDescription() == null
            ? "the catalog answered with status " + status.getCode()
            : status.getDescription().replaceAll("[\\s&&[^\n]]+", " ");
    return switch (status.getCode()) {
      case INVALID_ARGUMENT -> invalid(reason);
      case FAILED_PRECONDITION ->
          new CommandRefusal(reason + "; nothing was imported; repeat the import");
      default -> new CommandRefusal(reason);
    };
  }

  private String read() {
    try (InputStream in = file.equals(STDIN) ? System.in : Files.newInputStream(Path.of(file))) {
      return Utf8.read(in, MAX_BYTES);
    } catch (IllegalArgumentException e) {
      throw invalid(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new CommandRefusal("cannot read file " + file + ": " + e);
    }
  }

  private CommandRefusal invalid(String reason) {
    return new CommandRefusal((file.equals(STDIN) ? "standard input" : file) + ", " + reason);
  }
}
