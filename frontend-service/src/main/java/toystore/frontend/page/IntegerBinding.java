package toystore.frontend.page;

import java.beans.PropertyEditorSupport;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.InitBinder;

/// Reads the integers in the forms of all pages: ASCII digits without a leading zero. Spring's own
/// editor accepts `+7`, `007` and the digits of other scripts, and would be tried after a converter
/// has failed.
@ControllerAdvice(basePackages = "toystore.frontend.page")
final class IntegerBinding {
  private static final Pattern INTEGER = Pattern.compile("0|-?[1-9][0-9]*");

  @InitBinder
  void readIntegersStrictly(WebDataBinder binder) {
    binder.registerCustomEditor(int.class, new IntegerEditor(Integer::valueOf));
    binder.registerCustomEditor(Integer.class, new IntegerEditor(Integer::valueOf));
    binder.registerCustomEditor(Long.class, new IntegerEditor(Long::valueOf));
  }

  /// An empty field is null.
  private static final class IntegerEditor extends PropertyEditorSupport {
    private final Function<String, Number> parser;

    IntegerEditor(Function<String, Number> parser) {
      this.parser = parser;
    }

    @Override
    public void setAsText(String text) {
      String digits = text.strip();
      if (!digits.isEmpty() && !INTEGER.matcher(digits).matches()) {
        throw new IllegalArgumentException("no integer: " + text);
      }
      setValue(digits.isEmpty() ? null : parser.apply(digits));
    }
  }
}
