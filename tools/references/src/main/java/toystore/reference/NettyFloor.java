package toystore.reference;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.net.InetSocketAddress;

/// A server on bare Netty that answers every HTTP request with the same bytes.
public final class NettyFloor {
  private static final byte[] BODY = "{}".getBytes(US_ASCII);

  private NettyFloor() {}

  public static void main(String[] args) throws InterruptedException {
    var server =
        new ServerBootstrap()
            .group(new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory()))
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    channel.pipeline().addLast(new HttpServerCodec(), new Answer());
                  }
                })
            .bind("127.0.0.1", 0)
            .sync()
            .channel();
    System.out.println(
        "ready http://127.0.0.1:" + ((InetSocketAddress) server.localAddress()).getPort());
  }

  private static final class Answer extends SimpleChannelInboundHandler<HttpObject> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
      if (part instanceof LastHttpContent) {
        var response =
            new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(BODY));
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, "application/json");
        response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, BODY.length);
        context.writeAndFlush(response, context.voidPromise());
      }
    }
  }
}
