package toystore.frontend.page;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.math.BigDecimal;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.Request;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.request.BrowserRequest;
import toystore.frontend.products.ProductView;

/// Request headers of browsers, and error texts of pages, for arbitrary input.
class BrowserRequestFuzzTest {
  private static final Connector CONNECTOR = new Connector();

  /// Tomcat decodes headers as ISO 8859-1.
  @FuzzTest
  void anyAcceptHeaderIsParsedOrIgnored(byte[] header) {
    String accept = new String(header, ISO_8859_1);
    assertThat(BrowserRequest.wantsHtml(request("Accept", accept, "HX-Request", "true")))
        .isIn(true, false);
    if (!accept.contains("html") && !accept.contains("*") && !accept.contains("HTML")) {
      boolean html = BrowserRequest.wantsHtml(request("Accept", accept));
      assertThat(html && !accept.toLowerCase(java.util.Locale.ROOT).contains("html")).isFalse();
    }
  }

  @FuzzTest
  void everyErrorHasAPageText(byte[] text) {
    String message = new String(text, ISO_8859_1);
    int status = text.length == 0 ? 400 : 400 + (text[0] & 0xff) % 200;
    var error = ApiException.of(status, message);
    assertThat(ErrorTexts.of(error)).endsWith(".");
    assertThat(ErrorTexts.title(error)).isNotEmpty();
    assertThat(ErrorTexts.ofOrder(error, null)).endsWith(".");
    var soldOut = new ProductView("Tux", BigDecimal.ONE, 0, null, null, null, null);
    assertThat(ErrorTexts.ofOrder(error, soldOut)).endsWith(".");
  }

  private static Request request(String... headers) {
    var request = new Request(CONNECTOR, new org.apache.coyote.Request());
    for (int i = 0; i < headers.length; i += 2) {
      request.getCoyoteRequest().getMimeHeaders().addValue(headers[i]).setString(headers[i + 1]);
    }
    return request;
  }
}
