package toystore.exchange;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.exchange.engine.EngineBounds;
import toystore.platform.service.SettingCheck;

/// @param accountTarget `static://host:port` or `in-process:name`; empty: there is none
/// @param openOrders maximum, 0 to 2,147,483,647; 0: as many as the heap holds with room to spare,
///   see [EngineBounds#ofHeap]
/// @param watchers maximum number of readers of the feed, 1 to 10,000; a tenth is kept for
///   frontends
/// @param xmlPort 0 to 65,535; 0: any free port
/// @param xmlLengthLine whether each XML answer has a length line before it
@ConfigurationProperties("toystore.exchange")
public record ExchangeSettings(
    @DefaultValue("static://127.0.0.1:9093") String accountTarget,
    @DefaultValue("0") int openOrders,
    @DefaultValue("200") int watchers,
    @DefaultValue("12345") int xmlPort,
    @DefaultValue("127.0.0.1") String xmlListen,
    @DefaultValue("false") boolean xmlLengthLine) {
  public ExchangeSettings {
    SettingCheck.optionalTarget("toystore.exchange.account-target", accountTarget);
    SettingCheck.range("toystore.exchange.open-orders", openOrders, 0, Integer.MAX_VALUE);
    SettingCheck.range("toystore.exchange.watchers", watchers, 1, 10_000);
    SettingCheck.range("toystore.exchange.xml-port", xmlPort, 0, 65_535);
  }

  EngineBounds bounds(long heapBytes) {
    EngineBounds most = EngineBounds.ofHeap(heapBytes);
    return new EngineBounds(
        most.openOrdersOfAccount(),
        openOrders > 0 ? openOrders : most.openOrders(),
        most.accountsOfOwner(),
        most.accounts(),
        most.positions(),
        most.symbols());
  }
}
