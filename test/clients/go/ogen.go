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

type key string

func (k key) ApiKey(context.Context, readiness.OperationName) (readiness.ApiKey, error) {
	return readiness.ApiKey{Token: string(k)}, nil
}

// Notes the status of the last answer, which the client tells by the type of what it returns.
type noter struct{ status int }

func (n *noter) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	if err == nil {
		n.status = response.StatusCode
	}
	return response, err
}

var last noter

type line map[string]any

func say(call string, read line) {
	read["call"], read["status"] = call, last.status
	must(0, json.NewEncoder(os.Stdout).Encode(read))
}

// Every refusal is a type of its own, with the same body.
func refused(call string, answer any, err error) {
	refusal := must(answer, err).(interface{ GetResponse() readiness.Error })
	say(call, line{"code": refusal.GetResponse().Error.Code})
}

func must[Answer any](one Answer, err error) Answer {
	if err != nil {
		log.Fatal(err)
	}
	return one
}

func clientWith(apiKey string, url string) *readiness.Client {
	return must(readiness.NewClient(url, key(apiKey), readiness.WithClient(&http.Client{Transport: &last})))
}

func main() {
	env := os.Getenv
	site, url := env("SITE_ID"), env("BASE_URL")
	client := clientWith(env("API_KEY"), url)
	latestOf := func(siteId string) readiness.GetLatestRunParams {
		return readiness.GetLatestRunParams{SiteId: siteId}
	}
	runOf := func(number int64) readiness.GetRunParams {
		return readiness.GetRunParams{SiteId: site, Number: number}
	}

	created := must(client.CreateRun(ctx, readiness.CreateRunParams{SiteId: site})).(*readiness.RunResponseHeaders)
	run := created.Response.Run
	say("created", line{"trigger": run.Trigger, "number": run.Number, "score": run.Score})
	build := readiness.CreateRunParams{SiteId: site, IdempotencyKey: readiness.NewOptString("build-1")}
	for _, call := range []string{"begun", "replayed"} {
		begun := must(client.CreateRun(ctx, build)).(*readiness.RunResponseHeaders)
		say(call, line{"number": begun.Response.Run.Number, "replayed": begun.IdempotentReplayed.IsSet()})
	}
	latest := must(client.GetLatestRun(ctx, latestOf(site))).(*readiness.GetLatestRunOKHeaders)
	say("latest", line{"number": latest.Response.Run.Number})
	past := must(client.GetRun(ctx, runOf(1))).(*readiness.GetLatestRunOKHeaders)
	say("past", line{"number": past.Response.Run.Number})
	unscored := must(client.GetLatestRun(ctx, latestOf(env("UNSCORED_SITE_ID")))).(*readiness.GetLatestRunOKHeaders)
	say("unscored", line{"score": unscored.Response.Run.Score})
	document := must(client.Description(ctx, readiness.DescriptionParams{})).(*readiness.DescriptionDocumentHeaders)
	say("document", line{"openapi": document.Response.Openapi})

	invalid, err := client.GetRun(ctx, runOf(0))
	refused("invalid", invalid, err)
	unknown, err := clientWith("ars_unknown", url).GetLatestRun(ctx, latestOf(site))
	refused("unknownKey", unknown, err)
	plan, err := clientWith(env("FREE_API_KEY"), url).GetLatestRun(ctx, latestOf(site))
	refused("plan", plan, err)
	foreign, err := client.GetLatestRun(ctx, latestOf(env("FOREIGN_SITE_ID")))
	refused("foreign", foreign, err)
	absent, err := client.GetRun(ctx, runOf(99))
	refused("absent", absent, err)
	unverified, err := client.CreateRun(ctx, readiness.CreateRunParams{SiteId: env("UNVERIFIED_SITE_ID")})
	refused("unverified", unverified, err)
	spent, err := client.CreateRun(ctx, readiness.CreateRunParams{SiteId: env("SPENT_SITE_ID")})
	refused("spent", spent, err)
	known := readiness.GetLatestRunParams{SiteId: site, IfNoneMatch: readiness.NewOptString(latest.ETag)}
	_ = must(client.GetLatestRun(ctx, known)).(*readiness.NotModified)
	say("unchanged", line{})

	_, err = clientWith(env("API_KEY"), env("LATER_URL")).GetLatestRun(ctx, latestOf(site))
	must(0, json.NewEncoder(os.Stdout).Encode(line{"call": "later", "isRead": err == nil}))
}
