package toystore.platform.service;

import toystore.platform.storage.Ledger;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.WriterWatch;

/// Makes the writer of a service's database: named as the service is, measured, and ending the
/// process where the disk fails. Any thread.
public final class WriterFactory {
  private final String name;
  private final WriterWatch watch;

  WriterFactory(String name, WriterWatch watch) {
    this.name = name;
    this.watch = watch;
  }

  /// @param queue commands that may wait
  /// @param batch commands that are committed together at most
  public <C, A> SingleWriter<C, A> create(Ledger<C, A> ledger, int queue, int batch) {
    return new SingleWriter<>(name, ledger, queue, batch, ServiceProcess::diskFailed, watch);
  }
}
