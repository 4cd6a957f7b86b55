package toystore.lab.chart;

/// The point shape of a series, as an SVG path around 0,0. Its colour and dashes are the CSS class
/// `s` with the series' number ([ChartStyle]).
enum SeriesStyle {
  CIRCLE("M4,0 A4,4,0,1,1,-4,0 A4,4,0,1,1,4,0Z"),
  SQUARE("M-4,-4 L4,-4 L4,4 L-4,4Z"),
  TRIANGLE("M0,-5 L5,4 L-5,4Z"),
  DIAMOND("M0,-5.5 L5.5,0 L0,5.5 L-5.5,0Z"),
  INVERTED_TRIANGLE("M0,5 L5,-4 L-5,-4Z"),
  PENTAGON("M0,-5 L4.8,-1.5 L2.9,4 L-2.9,4 L-4.8,-1.5Z"),
  LEFT_TRIANGLE("M-5,0 L4,-5 L4,5Z"),
  RIGHT_TRIANGLE("M5,0 L-4,-5 L-4,5Z");

  static final String CROSS = "M-4,-4 L4,4 M-4,4 L4,-4";
  static final String STAR =
      "M0,-6.4 L1.7,-2.3 L6.1,-2 L2.7,0.9 L3.8,5.2 L0,2.8 L-3.8,5.2 L-2.7,0.9 L-6.1,-2 L-1.7,-2.3Z";

  final String path;

  SeriesStyle(String path) {
    this.path = path;
  }

  static SeriesStyle of(int series) {
    return values()[series];
  }

  String cssClass() {
    return "s" + ordinal();
  }
}
