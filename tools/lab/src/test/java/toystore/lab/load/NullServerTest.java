package toystore.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import toystore.clients.load.CallRecorder;
import toystore.clients.load.ClosedLoop;

class NullServerTest {
  @Test
  void everyClientIsAnswered() throws Exception {
    var recorder = new CallRecorder();
    try (var server = new NullServer();
        var loop = new ClosedLoop(8, 1)) {
      loop.callCount(NullServer.calls(server.url()), 200, recorder);
    }
    assertThat(recorder.correct()).isEqualTo(1_600);
  }
}
