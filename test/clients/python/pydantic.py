"""Does every operation of the API by httpx with the generated models, and prints a line for each."""

import json
import os

import httpx
from pydantic import ValidationError

from readiness import DescriptionDocument, Error, RunResponse

ENV = os.environ
SITE = ENV["SITE_ID"]


def client_with(key: str, url: str = ENV["BASE_URL"]) -> httpx.Client:
    return httpx.Client(base_url=f"{url}/api/v1", headers={"Authorization": f"Bearer {key}"})


def say(call: str, answer: httpx.Response, **read: object) -> None:
    print(json.dumps({"call": call, "status": answer.status_code, **read}))


def run_of(answer: httpx.Response) -> RunResponse:
    return RunResponse.model_validate_json(answer.content)


def refused(call: str, answer: httpx.Response) -> None:
    say(call, answer, code=Error.model_validate_json(answer.content).error.code)


client = client_with(ENV["API_KEY"])
RUNS = f"/sites/{SITE}/runs"
LATEST = f"{RUNS}/latest"

created = client.post(RUNS)
run = run_of(created).run
say("created", created, trigger=run.trigger.value, number=run.number, score=run.score)
for call in ("begun", "replayed"):
    begun = client.post(RUNS, headers={"Idempotency-Key": "build-1"})
    say(call, begun, number=run_of(begun).run.number, replayed=begun.headers.get("Idempotent-Replayed") == "true")
latest = client.get(LATEST)
say("latest", latest, number=run_of(latest).run.number)
past = client.get(f"{RUNS}/1")
say("past", past, number=run_of(past).run.number)
unscored = client.get(f"/sites/{ENV['UNSCORED_SITE_ID']}/runs/latest")
say("unscored", unscored, score=run_of(unscored).run.score)
document = httpx.get(f"{ENV['BASE_URL']}/api/v1/openapi.json")
say("document", document, openapi=DescriptionDocument.model_validate_json(document.content).openapi)

refused("invalid", client.get(f"{RUNS}/0"))
refused("unknownKey", client_with("ars_unknown").get(LATEST))
refused("plan", client_with(ENV["FREE_API_KEY"]).get(LATEST))
refused("foreign", client.get(f"/sites/{ENV['FOREIGN_SITE_ID']}/runs/latest"))
refused("absent", client.get(f"{RUNS}/99"))
refused("unverified", client.post(f"/sites/{ENV['UNVERIFIED_SITE_ID']}/runs"))
refused("spent", client.post(f"/sites/{ENV['SPENT_SITE_ID']}/runs"))
say("unchanged", client.get(LATEST, headers={"If-None-Match": latest.headers["ETag"]}))

try:
    run_of(client_with(ENV["API_KEY"], ENV["LATER_URL"]).get(LATEST))
    is_read = True
except ValidationError:
    is_read = False
print(json.dumps({"call": "later", "isRead": is_read}))
