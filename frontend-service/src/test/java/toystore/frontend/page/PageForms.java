package toystore.frontend.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What tests of pages read in a response and send in a form.
public final class PageForms {
  private static final Pattern NOTICE = Pattern.compile("toystore-notice-\\d+=([^;]*);.*");

  private PageForms() {}

  /// The body of a form with the fields.
  public static String encode(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(it -> it.getKey() + "=" + URLEncoder.encode(it.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
  }

  /// The fields with another value of one.
  public static Map<String, String> with(Map<String, String> fields, String name, String value) {
    var all = new HashMap<>(fields);
    all.put(name, value);
    return all;
  }

  /// The value of the first field of a page with the name.
  public static String field(String page, String name) {
    var field = Pattern.compile("name=\"" + name + "\" value=\"([^\"]*)\"").matcher(page);
    assertThat(field.find()).as(page).isTrue();
    return field.group(1);
  }

  /// The name of the notice for the next page; empty: none.
  public static String notice(HttpResponse<String> response) {
    return response.headers().allValues("Set-Cookie").stream()
        .map(NOTICE::matcher)
        .filter(Matcher::matches)
        .map(it -> it.group(1))
        .collect(Collectors.joining());
  }

  public static String location(HttpResponse<String> response) {
    return response
        .headers()
        .firstValue("Location")
        .orElseThrow(() -> new AssertionError(response.body()));
  }
}
