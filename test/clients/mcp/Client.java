import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Calls the tools that CALLS names, and prints a line of JSON for each. The client holds every answer against the tool's schema. */
final class Client {
    record Call(String name, Map<String, Object> arguments) {}

    private static final McpJsonMapper JSON = McpJsonDefaults.getMapper();

    public static void main(String[] args) throws IOException {
        var transport = HttpClientStreamableHttpTransport.builder(System.getenv("MCP_URL")).build();
        try (var client = McpClient.sync(transport).enableCallToolSchemaCaching(true).build()) {
            var initialized = client.initialize();
            var tools = client.listTools().tools().stream().map(Tool::name).toList();
            var prompts = client.listPrompts().prompts().stream().map(Prompt::name).toList();
            say("protocol", initialized.protocolVersion(), "tools", tools, "prompts", prompts);
            for (var call : JSON.readValue(System.getenv("CALLS"), new TypeRef<List<Call>>() {})) {
                var request = CallToolRequest.builder(call.name()).arguments(call.arguments()).build();
                var result = client.callTool(request);
                boolean isError = result.isError();
                say("name", call.name(), "isError", isError, "structuredContent", result.structuredContent());
            }
            for (var name : prompts) {
                var made = client.getPrompt(GetPromptRequest.builder(name).arguments(Map.of("url", "example.com")).build());
                var texts = made.messages().stream().map(message -> ((TextContent) message.content()).text()).toList();
                say("name", name, "messages", texts);
            }
        }
    }

    private static void say(Object... pairs) throws IOException {
        var line = new LinkedHashMap<String, Object>();
        for (var at = 0; at < pairs.length; at += 2) line.put((String) pairs[at], pairs[at + 1]);
        System.out.println(JSON.writeValueAsString(line));
    }
}
