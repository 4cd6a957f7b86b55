package toystore.frontend.http.money;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// A decimal number in a range with a maximum number of decimals; by default, a price. Zeros at its
/// end do not count.
@Constraint(validatedBy = Decimal.Check.class)
@Retention(RetentionPolicy.RUNTIME)
public @interface Decimal {
  String AMOUNT =
      "must be an amount from {min} to {max} with at most {decimals} decimals and no exponent";

  String min() default "0.01";

  String max() default "1000000000.00";

  int decimals() default 2;

  boolean optional() default false;

  String message() default
      "must be a number from {min} to {max} with at most two decimals and no exponent";

  Class<?>[] groups() default {};

  Class<? extends Payload>[] payload() default {};

  final class Check implements ConstraintValidator<Decimal, @Nullable BigDecimal> {
    private BigDecimal min = BigDecimal.ZERO;
    private BigDecimal max = BigDecimal.ZERO;
    private int decimals;
    private boolean optional;

    @Override
    public void initialize(Decimal range) {
      min = new BigDecimal(range.min());
      max = new BigDecimal(range.max());
      decimals = range.decimals();
      optional = range.optional();
    }

    @Override
    public boolean isValid(@Nullable BigDecimal value, ConstraintValidatorContext context) {
      if (value == null) {
        return optional;
      }
      return value.compareTo(min) >= 0
          && value.compareTo(max) <= 0
          && value.stripTrailingZeros().scale() <= decimals;
    }
  }
}
