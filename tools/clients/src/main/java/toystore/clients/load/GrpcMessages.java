package toystore.clients.load;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import java.util.Objects;

/// The messages of a gRPC method as JSON. Any thread.
///
/// @param request an empty request
/// @param response an empty response
record GrpcMessages(Message request, Message response) {
  /// @param method such as `toystore.bazaar.v1.StockBazaar/Lookup`
  /// @throws IllegalArgumentException if the project has no such method
  static GrpcMessages of(String method) {
    try {
      Class<?> service = Class.forName(method.substring(0, method.indexOf('/')) + "Grpc");
      var descriptor = (ServiceDescriptor) service.getMethod("getServiceDescriptor").invoke(null);
      return descriptor.getMethods().stream()
          .filter(it -> it.getFullMethodName().equals(method))
          .map(it ->
              new GrpcMessages(empty(it.getRequestMarshaller()), empty(it.getResponseMarshaller())))
          .findFirst()
          .orElseThrow(() -> new NoSuchMethodException(method));
    } catch (ReflectiveOperationException | StringIndexOutOfBoundsException e) {
      throw new IllegalArgumentException("expected a gRPC method, got " + method, e);
    }
  }

  private static Message empty(MethodDescriptor.Marshaller<?> marshaller) {
    return (Message)
        Objects.requireNonNull(
            ((MethodDescriptor.PrototypeMarshaller<?>) marshaller).getMessagePrototype());
  }

  /// The request's bytes. Fields that it does not have are ignored, so that methods can share a
  /// text.
  byte[] request(String json) {
    Message.Builder message = request.newBuilderForType();
    try {
      JsonFormat.parser().ignoringUnknownFields().merge(json, message);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("expected a request, got " + json, e);
    }
    return message.build().toByteArray();
  }

  /// A response as JSON, with all fields.
  String response(byte[] bytes) throws InvalidProtocolBufferException {
    return JsonFormat.printer()
        .alwaysPrintFieldsWithNoPresence()
        .print(response.newBuilderForType().mergeFrom(bytes));
  }
}
