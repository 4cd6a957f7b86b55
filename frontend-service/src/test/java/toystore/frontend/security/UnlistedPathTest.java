package toystore.frontend.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import toystore.frontend.FakeMarketplaceServices;
import toystore.frontend.RunningFrontend;

/// A path under `/api` that [SecurityConfiguration] does not list is refused, although a controller
/// is mapped to it.
class UnlistedPathTest {
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
    assertThat(answer(FakeMarketplaceServices.BUYER_TOKEN)).isEqualTo(404);
    assertThat(answer(FakeMarketplaceServices.SELLER_TOKEN)).isEqualTo(404);
    assertThat(answer("unknown")).isEqualTo(401);
  }

  private int answer(String token) {
    String[] headers =
        token.isEmpty() ? new String[] {} : new String[] {"Authorization", "Bearer " + token};
    return shop.send("GET", "/api/%C5%BEmogus", "", headers).statusCode();
  }
}
