package toystore.frontend.http;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import tools.jackson.core.JacksonException;

/// Spring's converter of JSON, but strict ([Json]), and it sends each answer with a Content-Length
/// and in one write. Spring's own would flush a chunk of unknown length.
final class JsonConverter extends JacksonJsonHttpMessageConverter {
  JsonConverter() {
    super(Json.MAPPER);
  }

  @Override
  public Object read(
      ResolvableType type, HttpInputMessage input, @Nullable Map<String, Object> hints)
      throws IOException {
    try {
      return Json.read(input.getBody().readAllBytes(), type.getType());
    } catch (JacksonException e) {
      throw new HttpMessageNotReadableException("no JSON of " + type, e, input);
    }
  }

  @Override
  protected void writeInternal(
      Object view,
      ResolvableType type,
      HttpOutputMessage output,
      @Nullable Map<String, Object> hints)
      throws IOException {
    byte[] json = Json.MAPPER.writeValueAsBytes(view);
    output.getHeaders().setContentLength(json.length);
    output.getBody().write(json);
  }
}
