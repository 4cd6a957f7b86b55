package toystore.frontend.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import toystore.frontend.RunningFrontend;

/// Who is answered what, by method and path. A path under `/api` that [SecurityConfiguration] does
/// not list is refused, although a controller is mapped to it.
class SecurityConfigurationTest {
  private static final String BUYER = RunningFrontend.open().newBuyer();
  private static final String SELLER = RunningFrontend.open().newSeller();

  private final RunningFrontend shop = RunningFrontend.open();
  private final RequestMappingHandlerMapping mappings =
      shop.frontend.getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class);
  private final RequestMappingInfo mapping =
      RequestMappingInfo.paths("/api/žmogus").options(mappings.getBuilderConfiguration()).build();

  static final class Unlisted {
    @ResponseBody
    String answer() {
      return "not for everybody";
    }
  }

  @BeforeEach
  void add() throws NoSuchMethodException {
    mappings.registerMapping(mapping, new Unlisted(), Unlisted.class.getDeclaredMethod("answer"));
  }

  @AfterEach
  void remove() {
    mappings.unregisterMapping(mapping);
  }

  @Test
  void unlistedPathIsRefused() {
    assertThat(answer("")).isEqualTo(404);
    assertThat(answer(BUYER)).isEqualTo(404);
    assertThat(answer(SELLER)).isEqualTo(404);
    assertThat(answer("unknown")).isEqualTo(401);
  }

  @ParameterizedTest
  @CsvSource({
    "POST,/products",
    "POST,/products/",
    "PATCH,/products/Dodo",
    "PATCH,/products/Dodo/",
    "DELETE,/products/Dodo",
    "DELETE,/products/Dodo/",
    "DELETE,/products/%44odo",
    "DELETE,/%70roducts/Dodo",
    "DELETE,/products/Pl%C3%BCschb%C3%A4r%20%F0%9F%A7%B8",
    "POST,/products/Dodo/restock",
    "POST,/products/Dodo/restock/",
    "POST,/products/Dodo/%72estock",
    "POST,/stocks/Dodo/resume",
    "GET,/orders",
    "GET,/orders/",
    "GET,/%6Frders?limit=1",
    "HEAD,/orders"
  })
  void administratorCallRequiresItsToken(String method, String path) {
    assertThat(answer(method, path, "")).isEqualTo(401);
    assertThat(answer(method, path, SELLER)).isEqualTo(403);
    assertThat(answer(method, path, RunningFrontend.TOKEN)).isNotIn(401, 403, 405);
  }

  @ParameterizedTest
  @CsvSource({
    "DELETE,/products/a/b,404",
    "PATCH,/products/a/b,404",
    "DELETE,//products/Dodo,404",
    "POST,/products/a/b/restock,404",
    "POST,/stocks/a/b/resume,404",
    "POST,/Products,404",
    "GET,/nowhere,404",
    "POST,/nowhere,404",
    "GET,/apis/buyers,404",
    "DELETE,/products,405",
    "PATCH,/products/,405",
    "POST,/products/restock,405",
    "GET,/products/Dodo/restock,405",
    "DELETE,/products/Dodo/restock,405",
    "delete,/products/Dodo,405",
    "DELETE,/orders,405"
  })
  void unknownPathOrMethodIsNoMatterOfATokenOutsideOfApi(String method, String path, int status) {
    assertThat(answer(method, path, "")).isEqualTo(status);
    assertThat(answer(method, path, "unknown")).isEqualTo(status);
    assertThat(answer(method, path, RunningFrontend.TOKEN)).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/api,404,401",
    "GET,/api/,404,401",
    "GET,/api/nowhere,404,401",
    "POST,/api/sellers/1/nowhere,404,401",
    "GET,/api/sellers,404,401",
    "GET,/api/buyers/login,405,405",
    "DELETE,/api/sellers/register/,405,405",
    "GET,/api/buyers/login/again,401,401",
    "DELETE,/api/cart/nowhere,401,401",
    "PATCH,/api/purchases,401,401",
    "GET,/api/items/search,401,401",
    "GET,/api/sellers/1/rating,401,401",
    "GET,/api/exchange,401,404",
    "GET,/api/exchange/nowhere,401,404"
  })
  void pathUnderApiRequiresASession(String method, String path, int none, int unknown) {
    assertThat(answer(method, path, "")).isEqualTo(none);
    assertThat(answer(method, path, "unknown")).isEqualTo(unknown);
  }

  private int answer(String token) {
    return answer("GET", "/api/%C5%BEmogus", token);
  }

  private int answer(String method, String path, String token) {
    String[] headers =
        token.isEmpty() ? new String[] {} : new String[] {"Authorization", "Bearer " + token};
    return shop.send(method, path, "", headers).statusCode();
  }
}
