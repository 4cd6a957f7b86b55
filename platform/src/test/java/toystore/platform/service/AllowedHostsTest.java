package toystore.platform.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which hosts a port accepts, by its address and the setting `hosts`.
class AllowedHostsTest {
  private static final List<String> NONE = List.of();
  private static final List<String> SHOP = List.of("shop.example");

  @ParameterizedTest
  @CsvSource({
    "localhost, true, true, true, true",
    "LOCALHOST, true, true, true, true",
    "a.localhost, true, true, true, true",
    "127.0.0.1, true, true, true, true",
    "127.9.9.9, true, true, true, true",
    "[::1], true, true, true, true",
    "shop.example, false, true, true, true",
    "Shop.Example, false, true, true, true",
    "10.0.0.1, false, false, true, true",
    "[2001:db8::1], false, false, true, true",
    "evil.example, false, false, true, false",
    "127.0.0.1.evil.example, false, false, true, false",
    "notlocalhost, false, false, true, false",
    "'', false, false, true, false"
  })
  void host(String host, boolean loopback, boolean loopbackListed, boolean any, boolean anyListed) {
    assertThat(accepts("127.0.0.1", NONE, host)).isEqualTo(loopback);
    assertThat(accepts("::1", SHOP, host)).isEqualTo(loopbackListed);
    assertThat(accepts("0.0.0.0", NONE, host)).isEqualTo(any);
    assertThat(accepts("0.0.0.0", SHOP, host)).isEqualTo(anyListed);
  }

  private static boolean accepts(String listen, List<String> hosts, String host) {
    return new AllowedHosts(listen, hosts, "toystore.frontend.hosts").accepts(host);
  }
}
