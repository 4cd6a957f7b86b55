/// Text from outside: names that identify something ([IdentifierText]), and files ([Utf8]). Plain
/// Java, without dependencies.
@NullMarked
package toystore.platform.text;

import org.jspecify.annotations.NullMarked;
