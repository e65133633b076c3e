import com.example.readiness.ApiClient;
import com.example.readiness.model.Error;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;

/** What differs between the libraries of the generator: this one is "native". */
final class Connection {
  private Connection() {}

  static ApiClient to(String key, String url) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(url);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
    return client;
  }

  static Error read(String body) throws Exception {
    return ApiClient.createDefaultObjectMapper().readValue(body, Error.class);
  }

  static String write(Map<String, Object> line) throws Exception {
    return new ObjectMapper().writeValueAsString(line);
  }
}
