import com.example.readiness.ApiException;
import com.example.readiness.ApiResponse;
import com.example.readiness.api.DocumentApi;
import com.example.readiness.api.RunsApi;
import com.example.readiness.model.CheckId;
import com.example.readiness.model.RunResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Does every operation of the API by the generated client, and prints a line for each. */
public final class Operations {
  private static final String SITE = env("SITE_ID");

  private interface Call {
    void run() throws ApiException;
  }

  private Operations() {}

  public static void main(String[] arguments) throws Exception {
    RunsApi runs = runsWith(env("API_KEY"));

    ApiResponse<RunResponse> created = runs.createRunWithHttpInfo(SITE, null, null);
    var run = created.getData().getRun();
    say(
        "created",
        created.getStatusCode(),
        line("trigger", run.getTrigger().getValue(), "number", run.getNumber(), "score", run.getScore()));
    for (String call : List.of("begun", "replayed")) {
      var begun = runs.createRunWithHttpInfo(SITE, "build-1", null);
      var isReplayed = begun.getHeaders().getOrDefault("idempotent-replayed", List.of()).equals(List.of("true"));
      say(
          call,
          begun.getStatusCode(),
          line("number", begun.getData().getRun().getNumber(), "replayed", isReplayed));
    }
    var latest = runs.getLatestRunWithHttpInfo(SITE, null);
    say("latest", latest.getStatusCode(), line("number", latest.getData().getRun().getNumber()));
    var past = runs.getRunWithHttpInfo(SITE, 1L, null);
    say("past", past.getStatusCode(), line("number", past.getData().getRun().getNumber()));
    var unscored = runs.getLatestRunWithHttpInfo(env("UNSCORED_SITE_ID"), null);
    say("unscored", unscored.getStatusCode(), line("score", unscored.getData().getRun().getScore()));
    var document = new DocumentApi(Connection.to("", env("BASE_URL"))).descriptionWithHttpInfo(null);
    say("document", document.getStatusCode(), line("openapi", document.getData().getOpenapi()));

    refused("invalid", () -> runs.getRun(SITE, 0L, null));
    refused("unknownKey", () -> runsWith("ars_unknown").getLatestRun(SITE, null));
    refused("plan", () -> runsWith(env("FREE_API_KEY")).getLatestRun(SITE, null));
    refused("foreign", () -> runs.getLatestRun(env("FOREIGN_SITE_ID"), null));
    refused("absent", () -> runs.getRun(SITE, 99L, null));
    refused("unverified", () -> runs.createRun(env("UNVERIFIED_SITE_ID"), null, null));
    refused("spent", () -> runs.createRun(env("SPENT_SITE_ID"), null, null));
    refused("unchanged", () -> runs.getLatestRun(SITE, latest.getHeaders().get("etag").get(0)));

    var later = new RunsApi(Connection.to(env("API_KEY"), env("LATER_URL"))).getLatestRun(SITE, null);
    var isRead = later.getFindings().get(0).getCheckId() == CheckId.UNKNOWN_DEFAULT_OPEN_API;
    System.out.println(Connection.write(line("call", "later", "isRead", isRead)));
  }

  /** Whatever is not 2xx is thrown, a 304 too, which has no body. */
  private static void refused(String name, Call call) throws Exception {
    try {
      call.run();
      throw new IllegalStateException(name + " is not refused");
    } catch (ApiException refusal) {
      String body = refusal.getResponseBody();
      boolean isEmpty = body == null || body.isEmpty();
      say(name, refusal.getCode(), isEmpty ? line() : line("code", Connection.read(body).getError().getCode()));
    }
  }

  private static void say(String call, int status, Map<String, Object> read) throws Exception {
    read.put("call", call);
    read.put("status", status);
    System.out.println(Connection.write(read));
  }

  private static Map<String, Object> line(Object... namesAndValues) {
    Map<String, Object> line = new LinkedHashMap<>();
    for (int index = 0; index < namesAndValues.length; index += 2) {
      line.put((String) namesAndValues[index], namesAndValues[index + 1]);
    }
    return line;
  }

  private static RunsApi runsWith(String key) {
    return new RunsApi(Connection.to(key, env("BASE_URL")));
  }

  private static String env(String name) {
    return System.getenv(name);
  }
}
