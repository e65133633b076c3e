// Generated from openapi.json by "make generate". Do not edit.
export interface paths {
    "/api/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read this description
         * @description This document. It needs no key and does not count against a quota.
         */
        get: operations["description"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{siteId}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a run and wait for it
         * @description Runs all checks of the site now and answers when they are complete: usually within a few seconds, at most after about 70. The ownership of the domain must be verified first. A request body is ignored. If the client disconnects, the run continues: repeat the request with the same `Idempotency-Key`, or read the run with getLatestRun. A run that fails (5xx) does not count against the day. The `RateLimit` header says how many runs remain today.
         */
        post: operations["createRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{siteId}/runs/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the latest completed run
         * @description The completed run with the highest number. A site without a completed run answers 404, never an empty run.
         */
        get: operations["getLatestRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{siteId}/runs/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a past run by its number
         * @description The run with this number, exactly as it was stored: every read returns the same bytes.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description The id of a check.
         *
         *     - `C-LLMS-01`: llms.txt file
         *     - `C-LLMS-02`: llms.txt format
         *     - `C-LLMS-03`: llms.txt links
         *     - `C-LLMS-04`: llms.txt length
         *     - `C-SITE-01`: Sitemap
         *     - `C-SITE-02`: Sitemap entries
         *     - `C-BOT-01`: AI agents in robots.txt
         *     - `C-BOT-02`: Access policy consistency
         *     - `C-BOT-03`: Server response to AI agents
         *     - `C-SD-01`: JSON-LD markup
         *     - `C-SD-02`: JSON-LD accuracy
         *     - `C-SD-03`: JSON-LD entities
         *     - `C-SD-04`: sameAs links
         *     - `C-WK-01`: MCP discovery
         *     - `C-WK-02`: A2A agent card
         *     - `C-WK-03`: API catalog and OAuth metadata
         *     - `C-MD-01`: Markdown versions of pages
         *     - `C-FWD-01`: Preferences for AI use
         *
         *     Its FAIL has one of these error types:
         *
         *     - `C-LLMS-01`: MISSING, WRONG_MIME, BLOCKED, UNREACHABLE, TIMEOUT
         *     - `C-LLMS-02`: FORMAT, STRUCTURE
         *     - `C-LLMS-03`: DEAD_LINK
         *     - `C-LLMS-04`: OVERSIZE
         *     - `C-SITE-01`: BLOCKED, UNREACHABLE, TIMEOUT, MISSING, WRONG_MIME, FORMAT
         *     - `C-SITE-02`: OVERSIZE, STRUCTURE, DEAD_LINK
         *     - `C-BOT-01`: BLOCKED, UNREACHABLE, TIMEOUT, WRONG_MIME, OVERSIZE
         *     - `C-BOT-02`: POLICY_INCONSISTENT
         *     - `C-BOT-03`: UA_REJECTED, TIMEOUT
         *     - `C-SD-01`: FORMAT, NO_JSONLD
         *     - `C-SD-02`: SCHEMA_MISMATCH
         *     - `C-SD-03`: ENTITY_INCOMPLETE
         *     - `C-SD-04`: BROKEN_SAMEAS
         *     - `C-WK-01`: INVALID_MANIFEST, WK_UNREACHABLE, MISSING
         *     - `C-WK-02`: INVALID_MANIFEST, WK_UNREACHABLE, MISSING
         *     - `C-WK-03`: INVALID_MANIFEST, WK_UNREACHABLE, MISSING
         *     - `C-MD-01`: WRONG_MIME, NO_NEGOTIATION
         *     - `C-FWD-01`: MISSING, FORMAT
         * @enum {string}
         */
        CheckId: "C-LLMS-01" | "C-LLMS-02" | "C-LLMS-03" | "C-LLMS-04" | "C-SITE-01" | "C-SITE-02" | "C-BOT-01" | "C-BOT-02" | "C-BOT-03" | "C-SD-01" | "C-SD-02" | "C-SD-03" | "C-SD-04" | "C-WK-01" | "C-WK-02" | "C-WK-03" | "C-MD-01" | "C-FWD-01";
        /** @description An OpenAPI 3.1 document. */
        DescriptionDocument: {
            /** @description The version of the OpenAPI Specification. */
            openapi: string;
            info: components["schemas"]["DescriptionInfo"];
            /** @description The operations, by path. */
            paths: Record<string, never>;
        } & {
            [key: string]: unknown;
        };
        /** @description The name and version of the API. */
        DescriptionInfo: {
            /** @description The name of the API. */
            title: string;
            /** @description The version of the API. */
            version: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * ErrorBody
         * @description The body of every error.
         */
        Error: {
            error: components["schemas"]["ErrorDetails"];
        };
        /** @description What went wrong. */
        ErrorDetails: {
            /**
             * @description What went wrong, for programs. Later versions may add codes: handle an unknown one by its status.
             *
             *     - `invalid_run_number` (400): The run number must be a positive integer without leading zeros, such as 12.
             *     - `missing_api_key` (401): Send an API key in the header "Authorization: Bearer <API_KEY>".
             *     - `invalid_api_key` (401): The API key is unknown or revoked. Create a new one under "API keys".
             *     - `plan_without_api` (403): Your plan does not include the API. MONITOR and higher plans do.
             *     - `site_not_owned` (403): The site belongs to another account. Use a key of that account.
             *     - `site_not_found` (404): There is no such site. Copy its id from the URL of its dashboard page.
             *     - `run_not_found` (404): The site has no run with this number. Read the newest with getLatestRun.
             *     - `no_completed_run` (404): The site has no completed run yet. Start one with createRun (POST /api/v1/sites/{siteId}/runs).
             *     - `domain_not_verified` (409): Domain ownership is not verified yet. Verify it on the site's dashboard page, then try again.
             *     - `monthly_quota_exceeded` (429): This key has used all its requests for this month. Try again next month (UTC): see Retry-After.
             *     - `daily_runs_exceeded` (429): This site has used all its runs for today. Try again after 00:00 UTC: see Retry-After.
             *     - `bad_request` (400, 408, 413 or 431): The request could not be read as HTTP/1.1, or its headers are too large.
             *     - `not_found` (404): There is nothing at this address. The paths are listed in /api/v1/openapi.json.
             *     - `method_not_allowed` (405): This address does not accept this method. The Allow header lists the ones it accepts.
             *     - `payload_too_large` (413): The request body is larger than 64 KiB. This operation needs none.
             *     - `overloaded` (503): The service is busy or restarting. Try again after the number of seconds in Retry-After.
             *     - `internal_error` (500): The service failed. Quote the id in X-Request-Id when you report this.
             */
            code: string;
            /** @description What went wrong and what to do about it, for people. The wording may change. */
            message: string;
        };
        /**
         * @description The kind of defect that a FAIL proved.
         *
         *     - `BLOCKED`: The site refuses access: by robots.txt, or with status 401, 402, 403 or 451.
         *     - `BROKEN_SAMEAS`: A sameAs link of the structured data is not a URL, or leads nowhere.
         *     - `DEAD_LINK`: A link that the site itself advertises returns status 404 or 410, or its host does not exist.
         *     - `ENTITY_INCOMPLETE`: An entity of the structured data lacks a property that its readers require.
         *     - `FORMAT`: The file or block can be read, but has the wrong format.
         *     - `INVALID_MANIFEST`: A well-known document exists, but its format or a required field is wrong.
         *     - `MISSING`: The site lacks what the check looks for.
         *     - `NO_JSONLD`: No sampled page has JSON-LD with schema.org terms.
         *     - `NO_NEGOTIATION`: The pages are not served as Markdown to clients that ask for it, or are served as Markdown to clients that ask for HTML.
         *     - `OVERSIZE`: The file is larger than its readers accept.
         *     - `POLICY_INCONSISTENT`: Two statements of the access policy contradict each other.
         *     - `SCHEMA_MISMATCH`: The structured data does not match the schema.org vocabulary, or what the page shows.
         *     - `STRUCTURE`: The file has the right format, but its structure is wrong.
         *     - `TIMEOUT`: No try got a response in time.
         *     - `UA_REJECTED`: An AI agent that robots.txt allows is refused because of its name.
         *     - `UNREACHABLE`: Every try failed with a server error or a broken connection.
         *     - `WK_UNREACHABLE`: A well-known document, or the endpoint that it names, cannot be reached.
         *     - `WRONG_MIME`: A file or page is served with a media type that its readers do not accept.
         * @enum {string}
         */
        ErrorType: "BLOCKED" | "BROKEN_SAMEAS" | "DEAD_LINK" | "ENTITY_INCOMPLETE" | "FORMAT" | "INVALID_MANIFEST" | "MISSING" | "NO_JSONLD" | "NO_NEGOTIATION" | "OVERSIZE" | "POLICY_INCONSISTENT" | "SCHEMA_MISMATCH" | "STRUCTURE" | "TIMEOUT" | "UA_REJECTED" | "UNREACHABLE" | "WK_UNREACHABLE" | "WRONG_MIME";
        /** @description What one check found. All fields are always present. */
        Finding: {
            checkId: components["schemas"]["CheckId"];
            /** @description The pillar of the check; null for a check that belongs to none. */
            pillar: components["schemas"]["Pillar"] | null;
            /** @description Whether this finding counts towards the score of its run. It is stored with the finding, so past runs stay as they are when a check becomes scored, or no longer is. */
            scored: boolean;
            result: components["schemas"]["Result"];
            /** @description The kind of defect: set when `result` is FAIL, null otherwise. */
            errorType: components["schemas"]["ErrorType"] | null;
            /** @description What was observed, in the words of this service; it never contains content of the site. For UNDETERMINED and NOT_APPLICABLE it says why. */
            detail: string | null;
            /** @description What the check asks for, in a few words. */
            title: string | null;
            /** @description What the check looks at, and why it matters. */
            explanation: string | null;
            /** @description How to fix the defect that `errorType` names: set when `result` is FAIL, null otherwise. Past runs keep their original texts: in older runs, this says how to pass the check, whatever the result. */
            fix: string | null;
        };
        /**
         * @description The part of agent-readiness that a check belongs to.
         *
         *     - `A`: discovery surface
         *     - `B`: access policy
         *     - `C`: structured data
         *     - `D`: machine endpoints
         * @enum {string}
         */
        Pillar: "A" | "B" | "C" | "D";
        /**
         * @description The outcome of a check.
         *
         *     - `PASS`: The site does what the check asks.
         *     - `FAIL`: A defect is proven: it can be reproduced, and the owner of the site can fix it. errorType names its kind.
         *     - `UNDETERMINED`: This run could not establish a result, for example because the site was down, too slow or refused the scanner; detail says why. It counts in the score as not passed.
         *     - `NOT_APPLICABLE`: The check does not apply to this site, and does not count towards the score.
         * @enum {string}
         */
        Result: "PASS" | "FAIL" | "UNDETERMINED" | "NOT_APPLICABLE";
        /** @description One execution of the checks. */
        Run: {
            /**
             * Format: int64
             * @description The number of the run: it counts the runs of the site from 1, without gaps.
             */
            number: number;
            /** @description A reference for people, such as CR-000042. */
            reference: string;
            /**
             * Format: int32
             * @description Passed scored checks divided by applicable scored checks, from 0 to 100, rounded half up. Null means that no scored check passed or failed; null is not zero.
             */
            score: number | null;
            trigger: components["schemas"]["Trigger"];
            /**
             * Format: date-time
             * @description When the checks started.
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description When the run was complete. The API returns only completed runs.
             */
            finishedAt: string | null;
        };
        /** @description A completed run of a site with all its findings. */
        RunResponse: {
            site: components["schemas"]["Site"];
            run: components["schemas"]["Run"];
            /** @description Every finding of the run, one per check, in the order of the checks. */
            findings: components["schemas"]["Finding"][];
        };
        /** @description The site that was checked. */
        Site: {
            /**
             * @description The id of the site, as in the address of its dashboard page.
             * @example site_k3v5qz7m2x4wanb6tjy2
             */
            id: string;
            /**
             * @description The host name of the site, with its port unless it is the default.
             * @example www.example.com
             */
            hostname: string;
        };
        /**
         * @description Why the run was started.
         *
         *     - `MANUAL`: Started by a person in the application.
         *     - `SCHEDULED`: Started by the schedule of the site.
         *     - `POST_DEPLOY`: Started by a deploy hook.
         *     - `API`: Started by createRun.
         * @enum {string}
         */
        Trigger: "MANUAL" | "SCHEDULED" | "POST_DEPLOY" | "API";
    };
    responses: {
        /** @description You already have the current body: If-None-Match names its entity tag. */
        DocumentNotModified: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                ETag: components["headers"]["ETag"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The service failed (internal_error). */
        DocumentFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key is missing (missing_api_key), or unknown or revoked (invalid_api_key). */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The plan of the account does not include the API (plan_without_api), or the site belongs to another account (site_not_owned). */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                /** @description The monthly request quota of the key. */
                "X-RateLimit-Limit"?: number;
                /** @description How many requests the key has left this month (UTC). */
                "X-RateLimit-Remaining"?: number;
                /** @description Seconds from this answer until the month ends (UTC) and the quota renews. */
                "X-RateLimit-Reset"?: number;
                /** @description The limits, in the form of draft-ietf-httpapi-ratelimit-headers: `q` requests in the `w` seconds of this `month`, and after createRun `q` runs of the site in the `day`, if they were counted. */
                "RateLimit-Policy"?: string;
                /** @description What remains of each limit: `r` requests or runs for the next `t` seconds. */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such site (site_not_found). */
        SiteNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The ownership of the domain is not verified yet (domain_not_verified). */
        DomainNotVerified: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request body is larger than 64 KiB (payload_too_large). */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The monthly quota of the key is used up (monthly_quota_exceeded), or the site has had its 5 runs of this UTC day (daily_runs_exceeded; such a request does not count against the quota). */
        QuotaOrDailyRunsExceeded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service failed (internal_error). The request does not count against the month's quota. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                /** @description The monthly request quota of the key. */
                "X-RateLimit-Limit"?: number;
                /** @description How many requests the key has left this month (UTC). */
                "X-RateLimit-Remaining"?: number;
                /** @description Seconds from this answer until the month ends (UTC) and the quota renews. */
                "X-RateLimit-Reset"?: number;
                /** @description The limits, in the form of draft-ietf-httpapi-ratelimit-headers: `q` requests in the `w` seconds of this `month`, and after createRun `q` runs of the site in the `day`, if they were counted. */
                "RateLimit-Policy"?: string;
                /** @description What remains of each limit: `r` requests or runs for the next `t` seconds. */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service is busy or restarting (overloaded). The request does not count against the month's quota. */
        Overloaded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                /** @description The monthly request quota of the key. */
                "X-RateLimit-Limit"?: number;
                /** @description How many requests the key has left this month (UTC). */
                "X-RateLimit-Remaining"?: number;
                /** @description Seconds from this answer until the month ends (UTC) and the quota renews. */
                "X-RateLimit-Reset"?: number;
                /** @description The limits, in the form of draft-ietf-httpapi-ratelimit-headers: `q` requests in the `w` seconds of this `month`, and after createRun `q` runs of the site in the `day`, if they were counted. */
                "RateLimit-Policy"?: string;
                /** @description What remains of each limit: `r` requests or runs for the next `t` seconds. */
                RateLimit?: string;
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description You already have the current body: If-None-Match names its entity tag. */
        NotModified: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                ETag: components["headers"]["ETag"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description There is no such site (site_not_found), or it has no completed run (no_completed_run). */
        LatestRunNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The monthly request quota of the key is used up (monthly_quota_exceeded). */
        QuotaExceeded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The run number is not a positive integer (invalid_run_number). */
        InvalidRunNumber: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such site (site_not_found), or it has no run with this number (run_not_found). */
        RunNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description Identifies the run for retries: any value that is new for the key and site, such as the id of this build. Use another value for each run. For 24 hours, the same value waits for the run that it started, or returns it. That counts against the month but not against the day, and `Idempotent-Replayed` is set. After a run that failed (5xx), the next request starts it again.
         * @example <id of this build>
         */
        IdempotencyKey: string;
        /**
         * @description The entity tags that you have, or `*`. If the current one is among them, the answer is 304 without a body.
         * @example "wKb3F0p2Yq"
         */
        IfNoneMatch: string;
        /**
         * @description Names the run, for example by the commit or version that was deployed. The application shows it with the run; the API does not return it. Printable ASCII, at most 100 characters; other characters become spaces, and a longer label is cut.
         * @example v2.3.1
         */
        RunLabel: string;
        /**
         * @description The id of a site of the key's account, as in the address of its dashboard page.
         * @example site_k3v5qz7m2x4wanb6tjy2
         */
        SiteId: string;
    };
    requestBodies: never;
    headers: {
        /** @description The strong entity tag of the body. Send it back in If-None-Match. */
        ETag: string;
        /** @description The monthly request quota of the key. */
        "X-RateLimit-Limit": number;
        /** @description How many requests the key has left this month (UTC). */
        "X-RateLimit-Remaining": number;
        /** @description Seconds from this answer until the month ends (UTC) and the quota renews. */
        "X-RateLimit-Reset": number;
        /** @description The limits, in the form of draft-ietf-httpapi-ratelimit-headers: `q` requests in the `w` seconds of this `month`, and after createRun `q` runs of the site in the `day`, if they were counted. */
        "RateLimit-Policy": string;
        /** @description What remains of each limit: `r` requests or runs for the next `t` seconds. */
        RateLimit: string;
        /** @description The URL of the run (getRun). */
        Location: string;
        /** @description The scheme to use, with `error="invalid_token"` for an unknown or revoked key. */
        "WWW-Authenticate": string;
        /** @description How many seconds to wait before the next try. */
        "Retry-After": number;
        /** @description The id of this request: the X-Request-Id that you sent, if it is valid. Quote it when you report an error. */
        "X-Request-Id": string;
        /** @description How caches may store the answer: runs privately and with a check each time, this description for 5 minutes, errors never. */
        "Cache-Control": string;
        /** @description Pages of every origin may read the document. */
        "Access-Control-Allow-Origin": "*";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    description: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The entity tags that you have, or `*`. If the current one is among them, the answer is 304 without a body.
                 * @example "wKb3F0p2Yq"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI document of this API. Its lists of check ids and error types come from the checks that the service runs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DescriptionDocument"];
                };
            };
            304: components["responses"]["DocumentNotModified"];
            500: components["responses"]["DocumentFailed"];
        };
    };
    createRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies the run for retries: any value that is new for the key and site, such as the id of this build. Use another value for each run. For 24 hours, the same value waits for the run that it started, or returns it. That counts against the month but not against the day, and `Idempotent-Replayed` is set. After a run that failed (5xx), the next request starts it again.
                 * @example <id of this build>
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Names the run, for example by the commit or version that was deployed. The application shows it with the run; the API does not return it. Printable ASCII, at most 100 characters; other characters become spaces, and a longer label is cut.
                 * @example v2.3.1
                 */
                "X-Run-Label"?: components["parameters"]["RunLabel"];
            };
            path: {
                /**
                 * @description The id of a site of the key's account, as in the address of its dashboard page.
                 * @example site_k3v5qz7m2x4wanb6tjy2
                 */
                siteId: components["parameters"]["SiteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The completed run. Its trigger is API. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    /** @description Present if another request with this `Idempotency-Key` started the run. */
                    "Idempotent-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["SiteNotFound"];
            409: components["responses"]["DomainNotVerified"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["QuotaOrDailyRunsExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Overloaded"];
        };
    };
    getLatestRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The entity tags that you have, or `*`. If the current one is among them, the answer is 304 without a body.
                 * @example "wKb3F0p2Yq"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of a site of the key's account, as in the address of its dashboard page.
                 * @example site_k3v5qz7m2x4wanb6tjy2
                 */
                siteId: components["parameters"]["SiteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["LatestRunNotFound"];
            429: components["responses"]["QuotaExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Overloaded"];
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The entity tags that you have, or `*`. If the current one is among them, the answer is 304 without a body.
                 * @example "wKb3F0p2Yq"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of a site of the key's account, as in the address of its dashboard page.
                 * @example site_k3v5qz7m2x4wanb6tjy2
                 */
                siteId: components["parameters"]["SiteId"];
                /**
                 * @description The number of the run: digits only, no leading zero.
                 * @example 12
                 */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRunNumber"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RunNotFound"];
            429: components["responses"]["QuotaExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Overloaded"];
        };
    };
}
