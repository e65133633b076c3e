"""Does every operation of the API by the generated client, and prints a line for each."""

import json
import os
from typing import Any

from readiness import AuthenticatedClient, Client
from readiness.api.document import description
from readiness.api.runs import create_run, get_latest_run, get_run
from readiness.models import DescriptionDocument, ErrorBody, RunResponse
from readiness.types import Response

Answer = Response[Any]
ENV = os.environ
SITE = ENV["SITE_ID"]


def client_with(key: str, url: str = ENV["BASE_URL"]) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=url, token=key)


def say(call: str, answer: Answer, **read: object) -> None:
    print(json.dumps({"call": call, "status": int(answer.status_code), **read}))


def run_of(answer: Answer) -> RunResponse:
    assert isinstance(answer.parsed, RunResponse)
    return answer.parsed


def refused(call: str, answer: Answer) -> None:
    assert isinstance(answer.parsed, ErrorBody)
    say(call, answer, code=answer.parsed.error.code)


client = client_with(ENV["API_KEY"])

created = create_run.sync_detailed(SITE, client=client)
run = run_of(created).run
say("created", created, trigger=run.trigger.value, number=run.number, score=run.score)
for call in ("begun", "replayed"):
    begun = create_run.sync_detailed(SITE, client=client, idempotency_key="build-1")
    say(call, begun, number=run_of(begun).run.number, replayed=begun.headers.get("Idempotent-Replayed") == "true")
latest = get_latest_run.sync_detailed(SITE, client=client)
say("latest", latest, number=run_of(latest).run.number)
past = get_run.sync_detailed(SITE, 1, client=client)
say("past", past, number=run_of(past).run.number)
unscored = get_latest_run.sync_detailed(ENV["UNSCORED_SITE_ID"], client=client)
say("unscored", unscored, score=run_of(unscored).run.score)
document = description.sync_detailed(client=Client(base_url=ENV["BASE_URL"]))
assert isinstance(document.parsed, DescriptionDocument)
say("document", document, openapi=document.parsed.openapi)

refused("invalid", get_run.sync_detailed(SITE, 0, client=client))
refused("unknownKey", get_latest_run.sync_detailed(SITE, client=client_with("ars_unknown")))
refused("plan", get_latest_run.sync_detailed(SITE, client=client_with(ENV["FREE_API_KEY"])))
refused("foreign", get_latest_run.sync_detailed(ENV["FOREIGN_SITE_ID"], client=client))
refused("absent", get_run.sync_detailed(SITE, 99, client=client))
refused("unverified", create_run.sync_detailed(ENV["UNVERIFIED_SITE_ID"], client=client))
refused("spent", create_run.sync_detailed(ENV["SPENT_SITE_ID"], client=client))
say("unchanged", get_latest_run.sync_detailed(SITE, client=client, if_none_match=latest.headers["ETag"]))

try:
    later = get_latest_run.sync(SITE, client=client_with(ENV["API_KEY"], ENV["LATER_URL"]))
    is_read = isinstance(later, RunResponse)
except ValueError:
    is_read = False
print(json.dumps({"call": "later", "isRead": is_read}))
