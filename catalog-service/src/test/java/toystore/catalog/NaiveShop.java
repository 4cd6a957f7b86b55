package toystore.catalog;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The shop as one would write it on a napkin: one thread, no disk, no batches, answers as text.
final class NaiveShop {
  private final Map<String, Toy> toys = new TreeMap<>();
  private final Map<String, Told> told = new HashMap<>();
  private long sold;

  private static final class Toy {
    String category = "";
    long cents;
    long stock;
    long volume;
    long bound = Long.MAX_VALUE;
    boolean suspended;

    @Override
    public String toString() {
      return String.join(
          " ",
          category,
          cents + "¢",
          stock + " left",
          volume + " traded",
          bound == Long.MAX_VALUE ? "without bound" : "at most " + bound,
          suspended ? "suspended" : "on sale");
    }
  }

  /// @param until when it is forgotten
  private record Told(List<Object> asked, String answer, Instant until) {}

  String decide(Request request, Instant now) {
    if (request.cancelled().getAsBoolean()
        || (request.decideBy() != null && now.isAfter(request.decideBy()))) {
      return "refused TOO_LATE false";
    }
    Key key = request.key();
    Told before = key == null ? null : told.get(key.value());
    if (before != null) {
      return before.asked().equals(request.command().values())
          ? before.answer() + " true"
          : "refused KEY_REUSED false";
    }
    String answer = decide(request.command());
    boolean refused = answer.startsWith("refused");
    if (key != null && (key.clientMade() || !refused)) {
      Instant until = refused ? now.plus(Duration.ofHours(24)) : Instant.MAX;
      told.put(key.value(), new Told(request.command().values(), answer, until));
    }
    return answer + " false";
  }

  /// Forgets the refusals whose time is over.
  void forget(Instant now) {
    told.values().removeIf(it -> it.until().isBefore(now));
  }

  long sold() {
    return sold;
  }

  /// Name and state of each toy.
  Map<String, String> shelf() {
    Map<String, String> shelf = new TreeMap<>();
    toys.forEach((name, toy) -> shelf.put(name, toy.toString()));
    return shelf;
  }

  /// A product as [#shelf] has it.
  static String shown(Product product) {
    var toy = new Toy();
    toy.category = product.category();
    toy.cents = product.priceCents();
    toy.stock = product.quantity();
    toy.volume = product.volume();
    toy.bound = product.maxVolume() == null ? Long.MAX_VALUE : product.maxVolume();
    toy.suspended = product.suspended();
    return toy.toString();
  }

  /// An answer as [#decide] has it.
  static String shown(Answer answer) {
    return switch (answer) {
      case Answer.Sold it -> "sold %d %s".formatted(it.sale().number(), it.replayed());
      case Answer.Changed it ->
          "%s: %s %s".formatted(it.product().name(), shown(it.product()), it.replayed());
      case Refused it -> "refused %s %s".formatted(it.reason(), it.replayed());
      case Answer.Imported it -> {
        List<String> differences = new ArrayList<>();
        for (Answer.Difference one : it.differences()) {
          differences.add(
              difference(one.after().name(), one.before() == null ? "" : shown(one.before()))
                  + shown(one.after()));
        }
        yield "imported " + differences + " false";
      }
    };
  }

  private String decide(Command command) {
    return switch (command) {
      case Command.Add add -> {
        if (toys.containsKey(add.spec().name())) {
          yield "refused NAME_TAKEN";
        }
        toys.put(add.spec().name(), stated(new Toy(), add.spec()));
        yield changed(add.spec().name());
      }
      case Command.Restock restock -> {
        if (toys.containsKey(restock.name())) {
          toy(restock.name()).stock += restock.quantity();
        }
        yield changed(restock.name());
      }
      case Command.Reprice reprice -> {
        if (toys.containsKey(reprice.name())) {
          toy(reprice.name()).cents = reprice.priceCents();
        }
        yield changed(reprice.name());
      }
      case Command.Remove remove -> {
        String answer = changed(remove.name());
        toys.remove(remove.name());
        yield answer;
      }
      case Command.Resume resume -> resume(resume.name(), resume.maxVolume());
      case Command.Sell sell -> sell(sell);
      case Command.Import all -> importAll(all);
    };
  }

  private String sell(Command.Sell sell) {
    boolean takes = sell.kind() != SaleKind.SELL;
    boolean trade = sell.kind() != SaleKind.ORDER;
    Map<String, Long> wanted = new TreeMap<>();
    for (Line line : sell.lines()) {
      if (!toys.containsKey(line.name())) {
        return "refused PRODUCT_NOT_FOUND";
      }
      Toy toy = toy(line.name());
      long all = wanted.merge(line.name(), line.quantity(), Long::sum);
      if (toy.suspended) {
        return "refused SUSPENDED";
      }
      if (takes && all > toy.stock) {
        return "refused OUT_OF_STOCK";
      }
      if (trade && toy.volume + all > toy.bound) {
        toy.suspended = true;
        return "refused SUSPENDED";
      }
    }
    wanted.forEach((name, units) -> {
      toy(name).stock += takes ? -units : units;
      toy(name).volume += trade ? units : 0;
    });
    return "sold " + sold++;
  }

  private String resume(String name, @Nullable Long bound) {
    if (!toys.containsKey(name)) {
      return "refused PRODUCT_NOT_FOUND";
    }
    Toy toy = toy(name);
    if (bound != null && bound <= toy.volume) {
      return "refused SUSPENDED";
    }
    toy.suspended = false;
    if (bound == null) {
      toy.volume = 0;
    } else {
      toy.bound = bound;
    }
    return changed(name);
  }

  private String importAll(Command.Import all) {
    List<String> differences = new ArrayList<>();
    for (ProductSpec spec : all.specs()) {
      boolean known = toys.containsKey(spec.name());
      Toy before = known ? toy(spec.name()) : new Toy();
      Toy after = stated(before, spec);
      if (!known || !after.toString().equals(before.toString())) {
        differences.add(difference(spec.name(), known ? before.toString() : "") + after);
      }
      if (!all.dryRun()) {
        toys.put(spec.name(), after);
      }
    }
    return "imported " + differences;
  }

  private static Toy stated(Toy before, ProductSpec spec) {
    var after = new Toy();
    after.category = spec.category() == null ? before.category : spec.category();
    after.cents = spec.priceCents();
    after.stock = spec.quantity();
    after.volume = before.volume;
    after.bound = spec.maxVolume() == null ? before.bound : spec.maxVolume();
    boolean raised = after.bound > before.bound && after.bound > after.volume;
    after.suspended = before.suspended && !raised;
    return after;
  }

  private String changed(String name) {
    return toys.containsKey(name) ? name + ": " + toy(name) : "refused PRODUCT_NOT_FOUND";
  }

  private static String difference(String name, String before) {
    return name + ": " + before + " → ";
  }

  private Toy toy(String name) {
    return Objects.requireNonNull(toys.get(name));
  }
}
