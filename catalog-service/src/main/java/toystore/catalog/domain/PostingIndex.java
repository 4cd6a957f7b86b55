package toystore.catalog.domain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// An inverted index: the ids that have a keyword, as bit sets in the order of the ids. Any thread
/// may search; one thread changes.
///
/// ```
/// (keyword, word) → 64 bits; bit b is set if the id 64 · word + b has the keyword
/// ```
///
/// A search reads the bit sets of its keywords in parallel and counts the matches of 64 ids at
/// once. It sorts nothing, and reads at most one entry per keyword and 64 ids, however many match.
public final class PostingIndex {
  private static final long END = Long.MAX_VALUE;

  private final ConcurrentNavigableMap<Posting, Long> postings =
      new ConcurrentSkipListMap<>(
          Comparator.comparing(Posting::keyword).thenComparingLong(Posting::word));

  private record Posting(String keyword, long word) {
    static Posting of(String keyword, long id) {
      return new Posting(keyword, id / Long.SIZE);
    }
  }

  /// In a result, more keywords come first, then smaller ids.
  ///
  /// @param keywords how many of the requested ones the id has
  public record Match(int keywords, long id) {}

  void add(String keyword, long id) {
    postings.merge(Posting.of(keyword, id), bit(id), (bits, bit) -> bits | bit);
  }

  void remove(String keyword, long id) {
    postings.computeIfPresent(
        Posting.of(keyword, id), (_, bits) -> bits == bit(id) ? null : (Long) (bits & ~bit(id)));
  }

  private static long bit(long id) {
    return 1L << (id % Long.SIZE);
  }

  /// Ids that have the required keyword and at least one of the others.
  ///
  /// @param keywords without duplicates
  /// @param after the last match of the page before; null: this is the first page
  List<Match> search(
      String required, Collection<String> keywords, @Nullable Match after, int limit) {
    int most = after == null ? keywords.size() : Math.min(after.keywords(), keywords.size());
    long first = after != null && after.keywords() == 1 ? after.id() / Long.SIZE : 0;
    var filter = new Cursor(bitSets(required, first));
    List<Cursor> cursors = keywords.stream().map(it -> new Cursor(bitSets(it, first))).toList();
    List<List<Match>> byCount =
        Stream.generate(() -> (List<Match>) new ArrayList<Match>()).limit(most + 1L).toList();
    long[] atLeast = new long[keywords.size() + 2];
    long word = smallestWord(cursors);
    while (word != END && byCount.get(most).size() < limit) {
      countMatches(filter.take(word), cursors, word, atLeast);
      for (int count = 1; count <= most; count++) {
        long from = after != null && after.keywords() == count ? after.id() + 1 : 0;
        addMatches(
            byCount.get(count), count, word, atLeast[count] & ~atLeast[count + 1], from, limit);
      }
      word = smallestWord(cursors);
    }
    return byCount.reversed().stream().flatMap(List::stream).limit(limit).toList();
  }

  private Iterator<Map.Entry<Posting, Long>> bitSets(String keyword, long first) {
    return postings
        .subMap(new Posting(keyword, first), new Posting(keyword, END))
        .entrySet()
        .iterator();
  }

  private static long smallestWord(List<Cursor> cursors) {
    long word = END;
    for (Cursor cursor : cursors) {
      word = Math.min(word, cursor.word);
    }
    return word;
  }

  /// Moves the cursors behind a word.
  ///
  /// @param atLeast receives in element n the candidates that have at least n of the keywords
  private static void countMatches(
      long candidates, List<Cursor> cursors, long word, long[] atLeast) {
    Arrays.fill(atLeast, 0);
    atLeast[0] = candidates;
    for (Cursor cursor : cursors) {
      long bits = cursor.take(word);
      for (int count = cursors.size(); count > 0; count--) {
        atLeast[count] |= atLeast[count - 1] & bits;
      }
    }
  }

  private static void addMatches(
      List<Match> matches, int count, long word, long bits, long from, int limit) {
    for (long rest = bits; rest != 0 && matches.size() < limit; rest &= rest - 1) {
      long id = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
      if (id >= from) {
        matches.add(new Match(count, id));
      }
    }
  }

  /// Reads the bit sets of a keyword. One thread.
  private static final class Cursor {
    private final Iterator<Map.Entry<Posting, Long>> rest;
    private long word;
    private long bits;

    Cursor(Iterator<Map.Entry<Posting, Long>> bitSets) {
      rest = bitSets;
      advance();
    }

    /// Moves behind the word.
    long take(long wanted) {
      while (word < wanted) {
        advance();
      }
      if (word != wanted) {
        return 0;
      }
      long taken = bits;
      advance();
      return taken;
    }

    private void advance() {
      if (rest.hasNext()) {
        Map.Entry<Posting, Long> next = rest.next();
        word = next.getKey().word();
        bits = next.getValue();
      } else {
        word = END;
      }
    }
  }
}
