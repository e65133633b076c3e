import com.example.readiness.ApiClient;
import com.example.readiness.JSON;
import com.example.readiness.model.Error;
import com.google.gson.GsonBuilder;
import java.util.Map;

/** What differs between the libraries of the generator: this one is "okhttp-gson". */
final class Connection {
  private Connection() {}

  static ApiClient to(String key, String url) {
    ApiClient client = new ApiClient();
    client.setBasePath(url);
    client.setBearerToken(key);
    return client;
  }

  static Error read(String body) {
    return JSON.getGson().fromJson(body, Error.class);
  }

  static String write(Map<String, Object> line) {
    return new GsonBuilder().serializeNulls().create().toJson(line);
  }
}
