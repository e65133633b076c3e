//! Does every operation of the API by the generated client, and prints a line for each.

use std::env::var;
use std::fmt::Debug;
use std::num::NonZeroU64;

use caller::{Client, Error, ResponseValue, types};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use serde_json::{Value, json};

type Answer<T> = Result<ResponseValue<T>, Error<types::Error>>;

fn env(name: &str) -> String {
    var(name).expect(name)
}

fn client_with(key: &str, url: &str) -> Client {
    let value = HeaderValue::from_str(&format!("Bearer {key}")).expect("a key");
    let headers = HeaderMap::from_iter([(AUTHORIZATION, value)]);
    let http = reqwest::Client::builder().default_headers(headers).build();
    Client::new_with_client(url, http.expect("a client"))
}

fn say(call: &str, status: u16, mut read: Value) {
    read["call"] = json!(call);
    read["status"] = json!(status);
    println!("{read}");
}

fn accepted<T>(
    call: &str,
    answer: Answer<T>,
    read: impl Fn(&ResponseValue<T>) -> Value,
) -> ResponseValue<T> {
    let answer = answer.unwrap_or_else(|error| panic!("{call}: {error}"));
    say(call, answer.status().as_u16(), read(&answer));
    answer
}

fn refused<T: Debug>(call: &str, answer: Answer<T>) {
    match answer {
        Err(Error::ErrorResponse(refusal)) => {
            say(call, refusal.status().as_u16(), json!({ "code": refusal.error.code }));
        }
        other => panic!("{call}: {other:?}"),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let (site, url) = (env("SITE_ID"), env("BASE_URL"));
    let client = client_with(&env("API_KEY"), &url);
    let number = |number| NonZeroU64::new(number).expect("a number from 1");
    let number_of = |answer: &ResponseValue<types::RunResponse>| json!({ "number": answer.run.number });

    accepted("created", client.create_run(&site, None, None).await, |answer| {
        let run = &answer.run;
        json!({ "trigger": run.trigger, "number": run.number, "score": run.score })
    });
    for call in ["begun", "replayed"] {
        accepted(call, client.create_run(&site, Some("build-1"), None).await, |answer| {
            let is_replayed = answer.headers().get("idempotent-replayed").is_some();
            json!({ "number": answer.run.number, "replayed": is_replayed })
        });
    }
    let latest = accepted("latest", client.get_latest_run(&site, None).await, number_of);
    accepted("past", client.get_run(&site, number(1), None).await, number_of);
    let unscored = client.get_latest_run(&env("UNSCORED_SITE_ID"), None).await;
    accepted("unscored", unscored, |answer| json!({ "score": answer.run.score }));
    accepted("document", client.description(None).await, |answer| {
        json!({ "openapi": answer.openapi })
    });

    let unknown = client_with("ars_unknown", &url);
    refused("unknownKey", unknown.get_latest_run(&site, None).await);
    let free = client_with(&env("FREE_API_KEY"), &url);
    refused("plan", free.get_latest_run(&site, None).await);
    refused("foreign", client.get_latest_run(&env("FOREIGN_SITE_ID"), None).await);
    refused("absent", client.get_run(&site, number(99), None).await);
    refused("unverified", client.create_run(&env("UNVERIFIED_SITE_ID"), None, None).await);
    refused("spent", client.create_run(&env("SPENT_SITE_ID"), None, None).await);

    // What has no body is no answer that the document has, as the generator sees it.
    let etag = latest.headers()["etag"].to_str().expect("an entity tag");
    match client.get_latest_run(&site, Some(etag)).await {
        Err(Error::UnexpectedResponse(answer)) => say("unchanged", answer.status().as_u16(), json!({})),
        other => panic!("unchanged: {other:?}"),
    }

    let later = client_with(&env("API_KEY"), &env("LATER_URL"));
    let is_read = later.get_latest_run(&site, None).await.is_ok();
    println!("{}", json!({ "call": "later", "isRead": is_read }));
}
