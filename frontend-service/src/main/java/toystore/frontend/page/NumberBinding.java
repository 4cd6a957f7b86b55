package toystore.frontend.page;

import java.beans.PropertyEditorSupport;
import java.math.BigDecimal;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.InitBinder;
import toystore.platform.text.PlainDecimal;

/// Reads the numbers in the forms of all pages: integers of ASCII digits without a leading zero,
/// decimals without an exponent; an empty field is null. Spring's own editors accept `+7`, `007`,
/// the digits of other scripts and `1e3`, and would be tried after a converter has failed.
@ControllerAdvice(basePackages = "toystore.frontend.page")
final class NumberBinding {
  private static final Pattern INTEGER = Pattern.compile("0|-?[1-9][0-9]*");

  @InitBinder
  void readNumbersStrictly(WebDataBinder binder) {
    binder.registerCustomEditor(int.class, new NumberEditor(it -> Integer.valueOf(digits(it))));
    binder.registerCustomEditor(Integer.class, new NumberEditor(it -> Integer.valueOf(digits(it))));
    binder.registerCustomEditor(Long.class, new NumberEditor(it -> Long.valueOf(digits(it))));
    binder.registerCustomEditor(
        BigDecimal.class,
        new NumberEditor(it -> PlainDecimal.parse(it).orElseThrow(() -> noNumber(it))));
  }

  private static String digits(String text) {
    if (!INTEGER.matcher(text).matches()) {
      throw noNumber(text);
    }
    return text;
  }

  private static IllegalArgumentException noNumber(String text) {
    return new IllegalArgumentException("no number: " + text);
  }

  private static final class NumberEditor extends PropertyEditorSupport {
    private final Function<String, Number> parser;

    NumberEditor(Function<String, Number> parser) {
      this.parser = parser;
    }

    @Override
    public void setAsText(@Nullable String text) {
      String number = text == null ? "" : text.strip();
      setValue(number.isEmpty() ? null : parser.apply(number));
    }
  }
}
