package toystore.cli.console;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import toystore.cli.launch.DataFolder;
import toystore.clients.load.CallSource;
import toystore.clients.load.Scenario;
import toystore.clients.load.Scenario.Check;
import toystore.clients.load.Scenario.Kind;

/// Calls with the administrator's token. Any thread.
record AdministratorCalls(DataFolder folder) {
  /// Adds units to the stock of a product.
  ///
  /// @param shop the frontend's URL
  void restock(String shop, String product, int units) throws IOException {
    call(shop, "/products/{product}/restock", "{\"quantity\":" + units + "}", 200, product);
  }

  /// Sets all faults of the payment sandbox.
  ///
  /// @param faults a SetFaultsRequest as JSON; empty: none
  void setPaymentFaults(int port, String faults) throws IOException {
    var method = "toystore.payment.v1.SandboxService/SetFaults";
    call("grpc://127.0.0.1:" + port, method, "{" + faults + "}", 0, "");
  }

  private void call(String url, String path, String body, int status, String product)
      throws IOException {
    var token = Map.of("Authorization", "Bearer " + folder.readAdminToken());
    var kind = new Kind("POST", path, token, body, Check.of(status), null, null);
    var scenario = new Scenario(Map.of("call", kind), Map.of("product", List.of(product)));
    new CallSource(URI.create(url), scenario, "call").answer();
  }
}
