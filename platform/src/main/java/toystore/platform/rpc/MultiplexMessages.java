package toystore.platform.rpc;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import java.util.ArrayList;
import java.util.List;
import toystore.multiplex.v1.Header;

/// Converts metadata and messages of calls. Any thread.
final class MultiplexMessages {
  private MultiplexMessages() {}

  static List<Header> toProto(Metadata metadata) {
    if (metadata.keys().isEmpty()) {
      return List.of();
    }
    var headers = new ArrayList<Header>();
    for (String name : metadata.keys()) {
      if (isBinary(name)) {
        for (byte[] value : requireNonNull(metadata.getAll(binary(name)))) {
          headers.add(header(name, ByteString.copyFrom(value)));
        }
      } else {
        for (String value : requireNonNull(metadata.getAll(ascii(name)))) {
          headers.add(header(name, ByteString.copyFrom(value, US_ASCII)));
        }
      }
    }
    return headers;
  }

  /// @throws IllegalArgumentException if a name is not valid in metadata
  static Metadata fromProto(List<Header> headers) {
    var metadata = new Metadata();
    for (Header header : headers) {
      String name = header.getName();
      if (isBinary(name)) {
        metadata.put(binary(name), header.getValue().toByteArray());
      } else {
        metadata.put(ascii(name), header.getValue().toString(US_ASCII));
      }
    }
    return metadata;
  }

  /// Parses a message without the stream and the copy that a [Marshaller] needs.
  ///
  /// @param marshaller of a protobuf message
  @SuppressWarnings("unchecked") // the prototype of T makes a T
  static <T> T parse(Marshaller<T> marshaller, ByteString bytes)
      throws InvalidProtocolBufferException {
    Object prototype = requireNonNull(((PrototypeMarshaller<T>) marshaller).getMessagePrototype());
    return (T) ((MessageLite) prototype).getParserForType().parseFrom(bytes);
  }

  private static Header header(String name, ByteString value) {
    return Header.newBuilder().setName(name).setValue(value).build();
  }

  private static boolean isBinary(String name) {
    return name.endsWith(Metadata.BINARY_HEADER_SUFFIX);
  }

  private static Metadata.Key<byte[]> binary(String name) {
    return Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER);
  }

  private static Metadata.Key<String> ascii(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }
}
