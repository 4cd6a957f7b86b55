/// A cache of what other services own: a [LeasedCache] is used only while the owner tells it of
/// each change.
@NullMarked
package toystore.platform.cache;

import org.jspecify.annotations.NullMarked;
