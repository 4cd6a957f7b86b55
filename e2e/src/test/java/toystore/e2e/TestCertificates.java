package toystore.e2e;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// A certificate authority for tests, created with the JDK's keytool, and one certificate for
/// 127.0.0.1, as PEM files in a folder.
record TestCertificates(Path certificate, Path memberCertificate, Path memberKey) {
  private static final String PASSWORD = "changeit";

  static TestCertificates in(Path folder) throws IOException, GeneralSecurityException {
    Path store = folder.resolve("keys.p12");
    keytool(store, "ca", "-ext", "bc:critical=ca:true");
    keytool(store, "member", "-signer", "ca", "-ext", "san=ip:127.0.0.1");
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    return new TestCertificates(
        pem(folder.resolve("ca.pem"), "CERTIFICATE", keys.getCertificate("ca").getEncoded()),
        pem(folder.resolve("cert.pem"), "CERTIFICATE", keys.getCertificate("member").getEncoded()),
        pem(
            folder.resolve("key.pem"),
            "PRIVATE KEY",
            keys.getKey("member", PASSWORD.toCharArray()).getEncoded()));
  }

  /// Settings for a service that presents this certificate and requires one from each peer.
  List<String> settings() {
    return List.of(
        "--spring.ssl.bundle.pem.store.keystore.certificate=" + memberCertificate,
        "--spring.ssl.bundle.pem.store.keystore.private-key=" + memberKey,
        "--spring.ssl.bundle.pem.store.truststore.certificate=" + certificate,
        "--spring.grpc.server.ssl.bundle=store",
        "--spring.grpc.server.ssl.client-auth=require",
        "--spring.grpc.client.channel.default.ssl.bundle=store");
  }

  private static void keytool(Path store, String alias, String... more) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1"));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
    command.addAll(List.of("-alias", alias, "-dname", "CN=" + alias));
    command.addAll(List.of(more));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (keytool.waitFor() != 0) {
        throw new IOException("keytool failed: " + said);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while waiting for keytool", e);
    }
  }

  private static Path pem(Path file, String kind, byte[] bytes) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return Files.writeString(
        file, format("-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n", kind, text));
  }
}
