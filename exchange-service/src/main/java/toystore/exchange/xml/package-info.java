/// The XML gateway: requests of create and transactions over TCP, as published clients of the
/// exchange assignment send them.
///
/// ```
/// XmlServer          accepts connections, at most a fixed number; ends those that make no progress
///  └ XmlConnection   one virtual thread: reads, submits, waits, answers in the order of the requests
///     ├ FrameReader      bytes → one XML document, by its length line
///     ├ RequestParser    XML → commands of the writer, each with its attributes as they were sent
///     ├ CommandPipeline  commands → results, submitted in order without waiting for each
///     └ ResultsWriter    results → XML
/// ```
///
/// A request, and its answer:
///
/// ```
/// 74⏎<transactions id="1"><order sym="SPY" amount="5" limit="9"/></transactions>
/// <results><opened sym="SPY" amount="5" limit="9" id="1"/></results>⏎
/// ```
@NullMarked
package toystore.exchange.xml;

import org.jspecify.annotations.NullMarked;
