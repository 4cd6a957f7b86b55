/// Payments and their transitions ([PaymentCommand]), what a [SandboxCard] allows, and
/// [SandboxFaults]. Plain Java.
@NullMarked
package toystore.payment.domain;

import org.jspecify.annotations.NullMarked;
