package toystore.lab.run;

import toystore.lab.load.CellRow;

/// A measured cell with its place in the run.
///
/// @param block from 1
/// @param start order in the block, from 1
/// @param subject its name; the baseline has two starts in a block
/// @param second whether this is the second start of the baseline
public record BlockRow(int block, int start, String subject, boolean second, CellRow cell) {}
