/// Payments and their transitions ([PaymentCommand]), what a [SandboxCard] allows, and the faults
/// that calls meet ([SandboxFaults]). Plain Java.
@NullMarked
package toystore.payment.domain;

import org.jspecify.annotations.NullMarked;
