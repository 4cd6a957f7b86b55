package toystore.catalog.storage;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.CatalogCommand;
import toystore.catalog.domain.Item;
import toystore.catalog.domain.Items;
import toystore.catalog.domain.PostingIndex;
import toystore.platform.idempotency.RequestKey;
import toystore.platform.idempotency.Submitted;
import toystore.platform.storage.LockedFolder;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;

/// Creates a store with many items in one category, opens it again and measures searches of ten
/// threads: `ItemSearchBenchmark DATA_FOLDER ITEMS`. It needs the test class path of this module.
///
/// Half of the items have the keyword `half`, a fifth each of `five0` to `five4`, and each item has
/// a keyword of about a hundred items and one of its own.
final class ItemSearchBenchmark {
  private static final int THREADS = 10;
  private static final int SEARCHES = 2_000;
  private static final int IN_FLIGHT = 5_000;

  private ItemSearchBenchmark() {}

  public static void main(String[] args) throws Exception {
    Path data = Path.of(args[0]).toAbsolutePath();
    int count = Integer.parseInt(args[1]);
    var catalog = new Catalog();
    try (LockedFolder folder = LockedFolder.lock(data.resolve("catalog"));
        SqliteFile file = SqliteFile.open(folder.file("catalog.db"), "db/catalog")) {
      long begin = System.nanoTime();
      add(file, count);
      System.out.printf(
          Locale.ROOT, "%d items added in %.1f s%n", count, (System.nanoTime() - begin) / 1e9);
      begin = System.nanoTime();
      var _ = new CatalogBatchStore(file, catalog, InstantSource.system());
      System.out.printf(
          Locale.ROOT, "read and indexed in %.2f s%n", (System.nanoTime() - begin) / 1e9);
    }
    Items items = catalog.items();
    for (int warmUp = 0; warmUp < 2; warmUp++) {
      var five = IntStream.range(0, 5).mapToObj(i -> "five" + i).toList();
      measure("own keyword", items, List.of("o77"), null);
      measure("100 matches", items, List.of("h7"), null);
      measure("50,000 matches", items, List.of("half"), null);
      measure("50,000 matches, page in the middle", items, List.of("half"), at(count / 2));
      measure("5 keywords, 100,000 matches", items, five, null);
      measure("the same, page at the end", items, five, at(count - 60L));
      measure("5 keywords, none in all", items, List.of("half", "five0", "h7", "h8", "o9"), null);
      measure("category", items, List.of(), null);
      measure("category, page in the middle", items, List.of(), at(count / 2));
    }
  }

  private static PostingIndex.Match at(long id) {
    return new PostingIndex.Match(1, id);
  }

  private static void add(SqliteFile file, int count) throws Exception {
    var random = new Random(1);
    var batchStore = new CatalogBatchStore(file, new Catalog(), InstantSource.system());
    var waiting = new Semaphore(IN_FLIGHT);
    try (var writer = new SingleWriter<>("items", batchStore, 10_000, 500, _ -> {})) {
      for (int i = 0; i < count; i++) {
        List<String> keywords =
            new ArrayList<>(List.of("o" + i, "h" + random.nextInt(count / 100), "five" + i % 5));
        if (random.nextBoolean()) {
          keywords.add("half");
        }
        var item = new Item(1 + i % 100, 1, keywords, Item.Condition.USED);
        var add = new CatalogCommand.AddItem("Item " + i, 100, 10, item);
        var key =
            new RequestKey(
                "POST /items",
                String.format(Locale.ROOT, "018f0000-0000-7000-8000-%012x", i),
                false);
        waiting.acquire();
        writer
            .submit(new Submitted<>(add, key, null, () -> false))
            .whenComplete((_, _) -> waiting.release());
      }
      waiting.acquire(IN_FLIGHT);
    }
  }

  private static void measure(
      String what, Items items, List<String> keywords, PostingIndex.@Nullable Match after)
      throws Exception {
    Callable<long[]> searches =
        () ->
            LongStream.range(0, SEARCHES)
                .map(_ -> {
                  long begin = System.nanoTime();
                  var page = items.search(1, keywords, after, 51);
                  page.forEach(it -> items.find(it.id()));
                  return System.nanoTime() - begin;
                })
                .toArray();
    try (var threads = Executors.newFixedThreadPool(THREADS)) {
      List<Long> nanos = new ArrayList<>();
      for (var result : threads.invokeAll(Collections.nCopies(THREADS, searches))) {
        Arrays.stream(result.get()).forEach(nanos::add);
      }
      nanos.sort(null);
      System.out.printf(
          Locale.ROOT,
          "%-36s p50 %6.1f µs  p99 %7.1f µs%n",
          what,
          nanos.get(nanos.size() / 2) / 1e3,
          nanos.get(nanos.size() * 99 / 100) / 1e3);
    }
  }
}
