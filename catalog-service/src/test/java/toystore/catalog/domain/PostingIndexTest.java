package toystore.catalog.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import toystore.catalog.domain.PostingIndex.Match;

/// With a naive model that counts and sorts.
class PostingIndexTest {
  private static final List<String> KEYWORDS = List.of("a", "b", "c", "d", "e", "f");

  private final PostingIndex index = new PostingIndex();
  private final Map<Long, Set<String>> model = new TreeMap<>();

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 20);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void pagesMatchModelInRandomWalk(long seed) {
    var random = new Random(seed);
    int ids = 1 + random.nextInt(500);
    for (int step = 0; step < 200; step++) {
      toggle(1 + random.nextInt(ids), random);
      if (step % 10 == 0) {
        var keywords = KEYWORDS.subList(random.nextInt(3), 3 + random.nextInt(3));
        int limit = 1 + random.nextInt(70);
        assertThat(inPages(keywords, limit)).as("seed %d", seed).isEqualTo(sorted(keywords));
      }
    }
  }

  @Test
  void pageMayBeginAfterAnIdThatIsNoLongerFound() {
    add(1, "1", "a");
    add(2, "1", "a", "b");
    add(3, "1", "a");
    var keywords = List.of("a", "b");
    assertThat(index.search("1", keywords, new Match(2, 1), 9))
        .containsExactly(new Match(2, 2), new Match(1, 1), new Match(1, 3));
    index.remove("b", 2);
    assertThat(index.search("1", keywords, new Match(2, 2), 9))
        .containsExactly(new Match(1, 1), new Match(1, 2), new Match(1, 3));
  }

  private void add(long id, String... keywords) {
    for (String keyword : keywords) {
      index.add(keyword, id);
    }
  }

  private void toggle(long id, Random random) {
    Set<String> keywords = model.remove(id);
    if (keywords != null) {
      keywords.forEach(it -> index.remove(it, id));
      return;
    }
    Set<String> added = new HashSet<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      added.add(KEYWORDS.get(random.nextInt(KEYWORDS.size())));
    }
    if (random.nextBoolean()) {
      added.add("1");
    }
    model.put(id, added);
    added.forEach(it -> index.add(it, id));
  }

  private List<Match> inPages(List<String> keywords, int limit) {
    List<Match> all = new ArrayList<>(index.search("1", keywords, null, limit));
    for (int before = 0; all.size() > before; ) {
      before = all.size();
      all.addAll(index.search("1", keywords, all.getLast(), limit));
    }
    return all;
  }

  private List<Match> sorted(List<String> keywords) {
    List<Match> matches = new ArrayList<>();
    model.forEach((id, its) -> {
      int count = (int) keywords.stream().filter(its::contains).count();
      if (count > 0 && its.contains("1")) {
        matches.add(new Match(count, id));
      }
    });
    matches.sort(Comparator.comparing((Match it) -> -it.keywords()).thenComparing(Match::id));
    return matches;
  }
}
