package toystore.common;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.Locale;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/// Formats text that a machine reads: the same in every default locale.
@NullMarked
public final class RootLocale {
  private RootLocale() {}

  @FormatMethod
  public static String format(@FormatString String format, @Nullable Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
