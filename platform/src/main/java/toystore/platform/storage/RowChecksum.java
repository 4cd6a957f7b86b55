package toystore.platform.storage;

import static toystore.common.RootLocale.format;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The checksum of a row over its values, in the column order of its [ChecksummedTable]. It is
/// stored in the column `checksum`. SQLite has no checksums in the database file, so a bit flipped
/// by the disk would otherwise be read as a different value.
///
/// ```
/// CRC-32C of, for each column in order
///   N                              null
///   I, value in 8 bytes            an integer; true is 1, false 0
///   T, length in 4 bytes, UTF-8    a text
///   B, length in 4 bytes, bytes    a blob
/// ```
///
/// The type and length of each value are included, so that different rows are encoded differently.
/// One thread.
final class RowChecksum {
  private final CRC32C crc = new CRC32C();
  private final ByteBuffer buffer = ByteBuffer.allocate(1 + Long.BYTES);

  /// Compares a row with its checksum. The row is in the result columns `first` to `last`; `last`
  /// is the checksum.
  ///
  /// @param id the column that identifies the row
  /// @throws CorruptDataException if they differ; the message names file, table and row
  static void check(ResultSet row, int first, int last, String table, int id) throws SQLException {
    var checksum = new RowChecksum();
    for (int column = first; column < last; column++) {
      checksum.add(row.getObject(column));
    }
    if (checksum.value() != row.getLong(last)) {
      throw damaged(row, table, id);
    }
  }

  static long of(List<@Nullable Object> values) {
    var checksum = new RowChecksum();
    values.forEach(checksum::add);
    return checksum.value();
  }

  private static CorruptDataException damaged(ResultSet row, String table, int id)
      throws SQLException {
    String url = row.getStatement().getConnection().getMetaData().getURL();
    return new CorruptDataException(
        format(
            "damaged row: checksum mismatch in table %s, %s %s, database %s",
            table,
            row.getMetaData().getColumnName(id),
            String.valueOf(row.getString(id)).replace('\n', ' '),
            url.startsWith("jdbc:sqlite:") ? SqliteFile.path(url) : url.replaceFirst("[?].*", "")));
  }

  /// The checksum of the added values, from 0 to 2³² − 1.
  long value() {
    return crc.getValue();
  }

  /// Adds a value. Our tables have no other types, so any other type means damage.
  RowChecksum add(@Nullable Object value) {
    switch (value) {
      case null -> crc.update('N');
      case Integer integer -> add(integer.longValue());
      case Long integer -> update(buffer.clear().put((byte) 'I').putLong(integer));
      case String text -> add('T', text.getBytes(StandardCharsets.UTF_8));
      case byte[] bytes -> add('B', bytes);
      default -> crc.update('?');
    }
    return this;
  }

  private void add(char kind, byte[] bytes) {
    update(buffer.clear().put((byte) kind).putInt(bytes.length));
    crc.update(bytes);
  }

  private void update(ByteBuffer filled) {
    crc.update(filled.flip());
  }
}
