package toystore.platform.storage;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// A checksum over the values of a row, in the order in which its [ChecksummedTable] names them,
/// kept in the column `checksum`. SQLite has none in a database: where a disk has changed a bit, it
/// reads another value.
///
/// ```
/// CRC-32C of, for each column in order
///   N                              null
///   I, value in 8 bytes            an integer; true is 1, false 0
///   T, length in 4 bytes, UTF-8    a text
///   B, length in 4 bytes, bytes    a blob
/// ```
///
/// A value's kind and length are part of it, so that no two rows are written alike. One thread.
final class Checksum {
  private final CRC32C crc = new CRC32C();
  private final ByteBuffer number = ByteBuffer.allocate(1 + Long.BYTES);

  /// Sees that a row is as it was written, which stands in the columns of a result from `first` to
  /// `last`, its checksum.
  ///
  /// @param id the column that tells it from others of its table
  /// @throws DamagedException where it is not; the message names file, table and row
  static void check(ResultSet row, int first, int last, String table, int id) throws SQLException {
    var checksum = new Checksum();
    for (int column = first; column < last; column++) {
      checksum.add(row.getObject(column));
    }
    if (checksum.value() != row.getLong(last)) {
      throw damaged(row, table, id);
    }
  }

  private static CorruptDataException damaged(ResultSet row, String table, int id)
      throws SQLException {
    String url = row.getStatement().getConnection().getMetaData().getURL();
    return new CorruptDataException(
        "damaged row: checksum mismatch in table %s, %s %s, database %s"
            .formatted(
                table,
                row.getMetaData().getColumnName(id),
                String.valueOf(row.getString(id)).replace('\n', ' '),
                url.substring(url.lastIndexOf(':') + 1)));
  }

  /// The checksum of what was added, from 0 to 2³² − 1.
  long value() {
    return crc.getValue();
  }

  Checksum add(long value) {
    number.clear().put((byte) 'I').putLong(value);
    crc.update(number.array(), 0, number.position());
    return this;
  }

  Checksum add(@Nullable String text) {
    return text == null ? addNull() : add('T', text.getBytes(StandardCharsets.UTF_8));
  }

  Checksum add(byte[] bytes) {
    return add('B', bytes);
  }

  Checksum addNull() {
    crc.update('N');
    return this;
  }

  private Checksum add(char kind, byte[] bytes) {
    number.clear().put((byte) kind).putInt(bytes.length);
    crc.update(number.array(), 0, number.position());
    crc.update(bytes);
    return this;
  }

  /// What SQLite read. A kind that no table of ours has can only come of damage.
  private void add(@Nullable Object value) {
    switch (value) {
      case null -> addNull();
      case Integer integer -> add(integer.longValue());
      case Long integer -> add(integer.longValue());
      case String text -> add(text);
      case byte[] bytes -> add(bytes);
      default -> add('?', new byte[0]);
    }
  }
}
