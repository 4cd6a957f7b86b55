package toystore.exchange;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.exchange.engine.EngineBounds;
import toystore.platform.service.SettingRange;
import toystore.platform.service.TargetSetting;

/// Settings of the exchange service.
///
/// @param accountTarget address of the account service: `static://host:port` or `in-process:name`;
///   empty: there is none
/// @param deadline for calls to the account service that inherit no deadline, 10 ms to 60 s
/// @param queue capacity of the writer's queue, 1 to 1,000,000
/// @param batch maximum number of commands in a batch, 1 to 10,000
/// @param openOrders maximum number of open orders, 0 to 2,147,483,647; 0: as many as the heap
///   holds with room to spare, see [EngineBounds#ofHeap]
/// @param watchers maximum number of readers of the feed, 1 to 10,000; a tenth of them is kept for
///   frontends
/// @param xmlPort port of the XML gateway, 0 to 65,535; 0: any free port
/// @param xmlListen address of that port
/// @param xmlConnections maximum number of open XML connections, 1 to 100,000; further ones wait
/// @param xmlIdle maximum wait for the first request of an XML connection, and maximum time for a
///   request to arrive, 100 ms to 1 h
/// @param xmlRequestBytes maximum length of an XML request, 100 to 16,777,216
/// @param xmlLengthLine whether each XML answer has a length line before it
@ConfigurationProperties("toystore.exchange")
public record ExchangeSettings(
    @DefaultValue("static://127.0.0.1:9093") String accountTarget,
    @DefaultValue("1s") Duration deadline,
    @DefaultValue("10000") int queue,
    @DefaultValue("500") int batch,
    @DefaultValue("0") int openOrders,
    @DefaultValue("200") int watchers,
    @DefaultValue("12345") int xmlPort,
    @DefaultValue("127.0.0.1") String xmlListen,
    @DefaultValue("16384") int xmlConnections,
    @DefaultValue("60s") Duration xmlIdle,
    @DefaultValue("1048576") int xmlRequestBytes,
    @DefaultValue("false") boolean xmlLengthLine) {
  private static final int HOUR_MILLIS = 3_600_000;

  public ExchangeSettings {
    TargetSetting.checkOptional("toystore.exchange.account-target", accountTarget);
    SettingRange.check("toystore.exchange.deadline (in ms)", deadline.toMillis(), 10, 60_000);
    SettingRange.check("toystore.exchange.queue", queue, 1, 1_000_000);
    SettingRange.check("toystore.exchange.batch", batch, 1, 10_000);
    SettingRange.check("toystore.exchange.open-orders", openOrders, 0, Integer.MAX_VALUE);
    SettingRange.check("toystore.exchange.watchers", watchers, 1, 10_000);
    SettingRange.check("toystore.exchange.xml-port", xmlPort, 0, 65_535);
    SettingRange.check("toystore.exchange.xml-connections", xmlConnections, 1, 100_000);
    SettingRange.check("toystore.exchange.xml-idle (in ms)", xmlIdle.toMillis(), 100, HOUR_MILLIS);
    SettingRange.check("toystore.exchange.xml-request-bytes", xmlRequestBytes, 100, 1 << 24);
  }

  /// The bounds of the engine in a process with this heap.
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
