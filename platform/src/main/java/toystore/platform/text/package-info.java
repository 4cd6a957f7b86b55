/// The form of values that clients write as text, the same in JSON, XML, CSV and forms. Start at
/// [PlainDecimal].
@NullMarked
package toystore.platform.text;

import org.jspecify.annotations.NullMarked;
