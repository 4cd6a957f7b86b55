package toystore.exchange;

import java.time.Duration;
import java.util.Locale;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.exchange.engine.EngineBounds;
import toystore.platform.service.SettingRange;
import toystore.platform.service.TargetSetting;

/// Settings of the exchange service.
///
/// @param accountTarget address of the account service: `static://host:port` or `in-process:name`;
///   empty: there is none
/// @param openOrders maximum number of open orders, 0 to 2,147,483,647; 0, as for the three that
///   follow: as many as the heap holds with room to spare, see [EngineBounds#ofHeap]
/// @param accounts maximum number of accounts, 0 to 2,147,483,647
/// @param positions maximum number of positions of all accounts, 0 to 2,147,483,647
/// @param symbols maximum number of symbols, 0 to 2,147,483,647
/// @param watchers maximum number of readers of the feed, 1 to 10,000; a tenth of them is kept for
///   frontends
/// @param watchBuffer maximum number of events that wait for a reader of the feed; a slower one is
///   ended, 1 to 1,000,000
/// @param xmlPort port of the XML gateway, 0 to 65,535; 0: any free port
/// @param xmlListen address of that port
/// @param xmlKeepAlive maximum wait for another request after an answer, 0 to 1 h; 0: one request a
///   connection
/// @param xmlSilence maximum time without a byte in the middle of a request, and in which a client
///   reads nothing of its answer, 100 ms to 1 h
/// @param xmlLengthLine whether each XML answer has a length line before it
@ConfigurationProperties("toystore.exchange")
public record ExchangeSettings(
    @DefaultValue("static://127.0.0.1:9093") String accountTarget,
    @DefaultValue("0") int openOrders,
    @DefaultValue("0") int accounts,
    @DefaultValue("0") int positions,
    @DefaultValue("0") int symbols,
    @DefaultValue("200") int watchers,
    @DefaultValue("10000") int watchBuffer,
    @DefaultValue("12345") int xmlPort,
    @DefaultValue("127.0.0.1") String xmlListen,
    @DefaultValue("5s") Duration xmlKeepAlive,
    @DefaultValue("5s") Duration xmlSilence,
    @DefaultValue("false") boolean xmlLengthLine) {
  private static final int HOUR_MILLIS = 3_600_000;

  public ExchangeSettings {
    TargetSetting.checkOptional("toystore.exchange.account-target", accountTarget);
    checkCount("open-orders", openOrders);
    checkCount("accounts", accounts);
    checkCount("positions", positions);
    checkCount("symbols", symbols);
    SettingRange.check("toystore.exchange.watchers", watchers, 1, 10_000);
    SettingRange.check("toystore.exchange.watch-buffer", watchBuffer, 1, 1_000_000);
    SettingRange.check("toystore.exchange.xml-port", xmlPort, 0, 65_535);
    checkMillis("xml-keep-alive", xmlKeepAlive, 0);
    checkMillis("xml-silence", xmlSilence, 100);
  }

  /// The bounds of the engine in a process with this heap.
  EngineBounds bounds(long heapBytes) {
    EngineBounds most = EngineBounds.ofHeap(heapBytes);
    return new EngineBounds(
        most.openOrdersOfAccount(),
        openOrders > 0 ? openOrders : most.openOrders(),
        most.accountsOfOwner(),
        accounts > 0 ? accounts : most.accounts(),
        positions > 0 ? positions : most.positions(),
        symbols > 0 ? symbols : most.symbols());
  }

  private static void checkCount(String setting, int value) {
    SettingRange.check("toystore.exchange." + setting, value, 0, Integer.MAX_VALUE);
  }

  private static void checkMillis(String setting, Duration value, long min) {
    SettingRange.check(
        String.format(Locale.ROOT, "toystore.exchange.%s (in ms)", setting),
        value.toMillis(),
        min,
        HOUR_MILLIS);
  }
}
