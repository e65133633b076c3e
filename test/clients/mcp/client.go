// Calls the tools that CALLS names, and prints a line of JSON for each. Every answer is held against the tool's schema.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "a-test", Version: "1.0.0"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: os.Getenv("MCP_URL")}, nil)
	must(err)
	tools, err := session.ListTools(ctx, nil)
	must(err)
	prompts, err := session.ListPrompts(ctx, nil)
	must(err)
	schemas := map[string]*jsonschema.Resolved{}
	names := map[string][]string{"tools": {}, "prompts": {}}
	for _, tool := range tools.Tools {
		names["tools"] = append(names["tools"], tool.Name)
		schemas[tool.Name] = resolve(tool.OutputSchema)
	}
	for _, prompt := range prompts.Prompts {
		names["prompts"] = append(names["prompts"], prompt.Name)
	}
	say(map[string]any{
		"protocol": session.InitializeResult().ProtocolVersion,
		"tools":    names["tools"],
		"prompts":  names["prompts"],
	})
	var calls []struct {
		Name      string
		Arguments map[string]any
	}
	must(json.Unmarshal([]byte(os.Getenv("CALLS")), &calls))
	for _, call := range calls {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: call.Name, Arguments: call.Arguments})
		must(err)
		if !result.IsError {
			must(schemas[call.Name].Validate(result.StructuredContent))
		}
		say(map[string]any{
			"name": call.Name, "isError": result.IsError, "structuredContent": result.StructuredContent,
		})
	}
	for _, name := range names["prompts"] {
		made, err := session.GetPrompt(ctx, &mcp.GetPromptParams{Name: name, Arguments: map[string]string{"url": "example.com"}})
		must(err)
		texts := []string{}
		for _, message := range made.Messages {
			texts = append(texts, message.Content.(*mcp.TextContent).Text)
		}
		say(map[string]any{"name": name, "messages": texts})
	}
	must(session.Close())
}

func resolve(schema any) *jsonschema.Resolved {
	text, err := json.Marshal(schema)
	must(err)
	var parsed jsonschema.Schema
	must(json.Unmarshal(text, &parsed))
	resolved, err := parsed.Resolve(nil)
	must(err)
	return resolved
}

func say(line map[string]any) {
	must(json.NewEncoder(os.Stdout).Encode(line))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
