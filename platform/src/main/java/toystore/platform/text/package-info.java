/// Values from outside: numbers in a range ([Limits]), names that identify something
/// ([IdentifierText]), decimal numbers, the same in JSON, XML, CSV and forms ([PlainDecimal]),
/// cards ([CardFields]), and files ([Utf8]). Plain Java, without dependencies.
@NullMarked
package toystore.platform.text;

import org.jspecify.annotations.NullMarked;
