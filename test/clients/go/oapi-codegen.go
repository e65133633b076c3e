// Does every operation of the API by the generated client, and prints a line for each.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"example.com/caller/readiness"
)

var ctx = context.Background()

type line map[string]any

func say(call string, status int, read line) {
	read["call"], read["status"] = call, status
	if err := json.NewEncoder(os.Stdout).Encode(read); err != nil {
		log.Fatal(err)
	}
}

// What every answer of the client has.
type answer interface {
	StatusCode() int
	GetBody() []byte
}

// Each refusal has the same body; the client has it as JSON403 and so on, too.
func refused(call string, one answer, err error) {
	var refusal readiness.Error
	must(0, err)
	must(0, json.Unmarshal(one.GetBody(), &refusal))
	say(call, one.StatusCode(), line{"code": refusal.Error.Code})
}

func must[Answer any](one Answer, err error) Answer {
	if err != nil {
		log.Fatal(err)
	}
	return one
}

func clientWith(key string, url string) *readiness.ClientWithResponses {
	withKey := readiness.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	})
	return must(readiness.NewClientWithResponses(url, withKey))
}

func main() {
	env := os.Getenv
	site, url := env("SITE_ID"), env("BASE_URL")
	client := clientWith(env("API_KEY"), url)

	created := must(client.CreateRunWithResponse(ctx, site, nil))
	run := created.JSON201.Run
	say("created", created.StatusCode(), line{"trigger": run.Trigger, "number": run.Number, "score": run.Score})
	build := "build-1"
	for _, call := range []string{"begun", "replayed"} {
		begun := must(client.CreateRunWithResponse(ctx, site, &readiness.CreateRunParams{IdempotencyKey: &build}))
		isReplayed := begun.HTTPResponse.Header.Get("Idempotent-Replayed") == "true"
		say(call, begun.StatusCode(), line{"number": begun.JSON201.Run.Number, "replayed": isReplayed})
	}
	latest := must(client.GetLatestRunWithResponse(ctx, site, nil))
	say("latest", latest.StatusCode(), line{"number": latest.JSON200.Run.Number})
	past := must(client.GetRunWithResponse(ctx, site, 1, nil))
	say("past", past.StatusCode(), line{"number": past.JSON200.Run.Number})
	unscored := must(client.GetLatestRunWithResponse(ctx, env("UNSCORED_SITE_ID"), nil))
	say("unscored", unscored.StatusCode(), line{"score": unscored.JSON200.Run.Score})
	document := must(client.DescriptionWithResponse(ctx, nil))
	say("document", document.StatusCode(), line{"openapi": document.JSON200.Openapi})

	invalid, err := client.GetRunWithResponse(ctx, site, 0, nil)
	refused("invalid", invalid, err)
	unknown, err := clientWith("ars_unknown", url).GetLatestRunWithResponse(ctx, site, nil)
	refused("unknownKey", unknown, err)
	plan, err := clientWith(env("FREE_API_KEY"), url).GetLatestRunWithResponse(ctx, site, nil)
	refused("plan", plan, err)
	foreign, err := client.GetLatestRunWithResponse(ctx, env("FOREIGN_SITE_ID"), nil)
	refused("foreign", foreign, err)
	absent, err := client.GetRunWithResponse(ctx, site, 99, nil)
	refused("absent", absent, err)
	unverified, err := client.CreateRunWithResponse(ctx, env("UNVERIFIED_SITE_ID"), nil)
	refused("unverified", unverified, err)
	spent, err := client.CreateRunWithResponse(ctx, env("SPENT_SITE_ID"), nil)
	refused("spent", spent, err)
	etag := latest.HTTPResponse.Header.Get("ETag")
	unchanged := must(client.GetLatestRunWithResponse(ctx, site, &readiness.GetLatestRunParams{IfNoneMatch: &etag}))
	say("unchanged", unchanged.StatusCode(), line{})

	later, err := clientWith(env("API_KEY"), env("LATER_URL")).GetLatestRunWithResponse(ctx, site, nil)
	isRead := err == nil && later.JSON200.Findings[0].CheckId == "C-LATER-01"
	must(0, json.NewEncoder(os.Stdout).Encode(line{"call": "later", "isRead": isRead}))
}
