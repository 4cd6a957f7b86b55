/// Start at [OrderCommand], which decides on an [OrderUnitOfWork], and at the states of a
/// [Purchase]. Plain Java.
@NullMarked
package toystore.order.domain;

import org.jspecify.annotations.NullMarked;
