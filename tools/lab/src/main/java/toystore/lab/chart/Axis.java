package toystore.lab.chart;

import java.util.Collection;
import java.util.List;

/// A scale between two pixels of a drawing; `to` may be the smaller one, since y grows downwards.
record Axis(Scale scale, double from, double to) {

  /// A value with its label.
  record Tick(double value, String label) {
    static List<Tick> of(Collection<Double> values) {
      return values.stream().map(it -> new Tick(it, Scale.label(it))).toList();
    }
  }

  double at(double value) {
    return from + scale.share(value) * (to - from);
  }

  double clipped(double value) {
    return from + Math.clamp(scale.share(value), 0, 1) * (to - from);
  }

  double middle() {
    return (from + to) / 2;
  }

  double length() {
    return Math.abs(to - from);
  }
}
