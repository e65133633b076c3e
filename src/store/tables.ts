/**
 * Every table with its columns and keys, in SQL; `bytes` is the engine's type for bytes. Times are ISO texts in UTC with milliseconds
 * and flags are 0 or 1, so that both engines store and compare the same values. A digest is SHA-256 in hexadecimal digits.
 */
export const TABLES = {
  accounts: {
    id: 'text PRIMARY KEY',
    email: 'text NOT NULL UNIQUE', // Lower case, so that each address has at most one account.
    name: 'text NOT NULL',
    password_hash: 'text', // scrypt with its parameters and salt; null until the first sign-in link is used.
    plan: 'text NOT NULL',
    email_alerts_since: 'text', // Null while email alerts are off.
    reference_counter: 'integer NOT NULL DEFAULT 0', // Number of the last run reference; 1 follows 999999.
    created_at: 'text NOT NULL',
    removed_at: 'text', // The row of a removed account stays until everything that refers to it is erased.
  },
  // Changes to an account's access or data: who changed what, when, from where.
  audit_events: {
    id: 'text PRIMARY KEY',
    account_id: 'text NOT NULL REFERENCES accounts ON DELETE CASCADE',
    at: 'text NOT NULL',
    event: 'text NOT NULL',
    subject: 'text', // What changed, for people to read, such as a host name.
    actor: 'text NOT NULL',
    address: 'text', // IP address of the client; null if no client asked for the change.
  },
  // Unused one-time links.
  sign_in_links: {
    digest: 'text PRIMARY KEY',
    account_id: 'text REFERENCES accounts ON DELETE CASCADE', // Null for a link that creates an account.
    email: 'text', // The address that a link without an account confirms.
    expires_at: 'text NOT NULL',
    is_for_password: 'integer', // 1 if the link only sets a password; null if it also signs in.
  },
  sessions: {
    digest: 'text PRIMARY KEY', // Digest of the cookie's value.
    account_id: 'text NOT NULL REFERENCES accounts ON DELETE CASCADE',
    created_at: 'text NOT NULL',
    last_seen_at: 'text NOT NULL',
    expires_at: 'text NOT NULL',
    address: 'text', // IP address of the client that signed in.
    browser: 'text', // Such as "Firefox on Linux"; null if unknown.
  },
  api_keys: {
    id: 'text PRIMARY KEY',
    account_id: 'text NOT NULL REFERENCES accounts ON DELETE CASCADE',
    name: 'text NOT NULL',
    digest: 'text NOT NULL UNIQUE', // The key itself is not stored.
    hint: 'text NOT NULL',
    created_at: 'text NOT NULL',
    last_used_at: 'text',
    revoked_at: 'text',
    expires_at: 'text', // Null if the key never expires.
  },
  key_usage: {
    key_id: 'text NOT NULL REFERENCES api_keys ON DELETE CASCADE',
    month: 'text NOT NULL',
    used: 'integer NOT NULL',
    'PRIMARY KEY': '(key_id, month)',
  },
  sites: {
    id: 'text PRIMARY KEY',
    account_id: 'text NOT NULL REFERENCES accounts',
    origin: 'text NOT NULL',
    hostname: 'text NOT NULL',
    run_counter: 'integer NOT NULL DEFAULT 0', // Number of the last run, set in the transaction that inserts the run.
    verified_at: 'text',
    verified_by: 'text',
    proof_due_at: 'text', // When to check the proof of ownership next; null if unverified or verified by the operator.
    proof_missing_since: 'text', // When the proof was first not found; null while it is found.
    proof_missed_days: 'integer NOT NULL DEFAULT 0', // How many days were counted as days without the proof.
    ownership_lost_at: 'text', // Null once the site is verified again.
    tags: 'text', // JSON array in the owner's order; null if there are none.
    chosen_pages: 'text', // JSON array of paths that each run reads first; null if the owner never chose any.
    platform: 'text', // Where the site runs, such as "Shopify"; null if the owner never said.
    is_deleting: 'integer NOT NULL DEFAULT 0', // The site's runs can be deleted only while this is set.
    created_at: 'text NOT NULL',
    UNIQUE: '(account_id, origin)',
  },
  ownership_tokens: {
    account_id: 'text NOT NULL REFERENCES accounts ON DELETE CASCADE',
    host: 'text NOT NULL',
    token: 'text NOT NULL', // Not hashed: it is published on the site.
    'PRIMARY KEY': '(account_id, host)',
  },
  // Hosts that are never scanned, because their owners asked the operator.
  excluded_hosts: {
    host: 'text PRIMARY KEY', // Normalized, without a port; covers every port and every name below it.
    excluded_at: 'text NOT NULL',
  },
  schedules: {
    site_id: 'text PRIMARY KEY REFERENCES sites ON DELETE CASCADE',
    frequency: 'text NOT NULL',
    next_run_at: 'text NOT NULL',
  },
  deploy_hooks: {
    site_id: 'text PRIMARY KEY REFERENCES sites ON DELETE CASCADE',
    digest: 'text NOT NULL UNIQUE', // Digest of the URL's secret part.
    created_at: 'text NOT NULL',
    last_used_at: 'text',
  },
  publications: {
    site_id: 'text NOT NULL REFERENCES sites ON DELETE CASCADE',
    kind: 'text NOT NULL', // "badge" or "report".
    number: 'integer NOT NULL', // The run of a report; 0 means the latest.
    token: 'text NOT NULL UNIQUE', // Not hashed: the owner publishes it.
    created_at: 'text NOT NULL',
    'PRIMARY KEY': '(site_id, kind, number)',
  },
  // Finished runs.
  runs: {
    site_id: 'text NOT NULL REFERENCES sites',
    number: 'integer NOT NULL',
    reference: 'text NOT NULL',
    score: 'integer',
    trigger: 'text NOT NULL',
    started_at: 'text NOT NULL',
    finished_at: 'text NOT NULL',
    release: 'text', // Version and commit that judged the run; null if unknown, as in a test.
    etag: 'text NOT NULL',
    label: 'text', // The name that the caller gave the run.
    commit_id: 'text', // The commit that the caller named.
    pages: 'text', // JSON, see SampledPages; null if the owner never chose pages.
    answer: 'text', // Which assistants can read the site, see unpackAnswer; null if the scan does not say.
    results: 'text NOT NULL', // See formatResults.
    body: 'bytes NOT NULL', // The response, which never changes, and advice: see run-bodies.ts.
    'PRIMARY KEY': '(site_id, number)',
  },
  // The HTTP exchanges that prove failures: for the verified owner only, for a limited time.
  run_evidence: {
    site_id: 'text NOT NULL',
    number: 'integer NOT NULL',
    check_id: 'text NOT NULL', // The repeated check; empty for the run itself.
    stored_at: 'text NOT NULL',
    evidence: 'bytes NOT NULL', // JSON, gzip.
    account_id: 'text NOT NULL',
    bytes: 'integer NOT NULL',
    'PRIMARY KEY': '(site_id, number, check_id)',
    'FOREIGN KEY': '(site_id, number) REFERENCES runs ON DELETE CASCADE',
  },
  rechecks: {
    site_id: 'text NOT NULL REFERENCES sites ON DELETE CASCADE',
    check_id: 'text NOT NULL',
    run_number: 'integer NOT NULL', // The site's latest run at that time; a later run replaces this result.
    started_at: 'text NOT NULL',
    finished_at: 'text', // Null while the check runs.
    result: 'text', // Null while the check runs, and after an internal error.
    error_type: 'text',
    detail: 'text',
    'PRIMARY KEY': '(site_id, check_id)',
  },
  accepted_failures: {
    site_id: 'text NOT NULL REFERENCES sites ON DELETE CASCADE',
    check_id: 'text NOT NULL',
    error_type: 'text NOT NULL',
    reason: 'text NOT NULL', // The owner's words.
    accepted_at: 'text NOT NULL',
    'PRIMARY KEY': '(site_id, check_id, error_type)',
  },
  // Values of Idempotency-Key and the runs that they began.
  idempotency_keys: {
    key_id: 'text NOT NULL', // An id of api_keys. No foreign key, since keys and sites are removed with their account.
    site_id: 'text NOT NULL REFERENCES sites ON DELETE CASCADE',
    digest: 'text NOT NULL', // Digest of the value.
    expires_at: 'text NOT NULL', // After that, the value counts as new.
    number: 'integer', // The run's number; null until it is stored.
    'PRIMARY KEY': '(key_id, site_id, digest)',
  },
  // A webhook is for one site, for the sites with a tag, or (both null) for all sites of the account.
  webhooks: {
    id: 'text PRIMARY KEY',
    account_id: 'text NOT NULL REFERENCES accounts ON DELETE CASCADE',
    site_id: 'text REFERENCES sites ON DELETE CASCADE',
    tag: 'text',
    url: 'text NOT NULL',
    secret: 'text NOT NULL', // Not hashed: every message is signed with it. Empty if messages are not signed.
    format: "text NOT NULL DEFAULT 'signed'",
    created_at: 'text NOT NULL',
    disabled_at: 'text',
  },
  deliveries: {
    id: 'text PRIMARY KEY',
    account_id: 'text NOT NULL REFERENCES accounts ON DELETE CASCADE',
    webhook_id: 'text REFERENCES webhooks ON DELETE CASCADE', // Null for a message by email.
    site_id: 'text REFERENCES sites ON DELETE CASCADE', // Null for a test.
    event: 'text NOT NULL',
    body: 'text NOT NULL', // JSON, sent as it is to signed webhooks. Mails and chat messages are rendered from it.
    created_at: 'text NOT NULL',
    state: 'text NOT NULL',
    attempts: 'integer NOT NULL DEFAULT 0', // Finished attempts. While the message waits, its job counts them.
    last_attempt_at: 'text',
    answer_status: 'integer', // The receiver's last status.
    problem: 'text', // Why the last attempt got no status.
  },
  // Waiting and running jobs; a finished job is deleted.
  jobs: {
    queue: 'text NOT NULL',
    kind: 'text NOT NULL', // Selects the handler.
    key: 'text NOT NULL',
    account_id: 'text', // Whose share of the workers it uses: an account, or a client's network; null for upkeep.
    lane: "text GENERATED ALWAYS AS (coalesce(account_id, '') || ' ' || kind) STORED", // Lanes take turns.
    site_id: 'text REFERENCES sites ON DELETE CASCADE',
    requested_at: 'text NOT NULL',
    run_after: 'text NOT NULL', // When the job is due; while it is claimed, when the lease ends.
    is_due: 'integer NOT NULL DEFAULT 0', // 1 once the waiting job was found due, see markDue.
    attempts: 'integer NOT NULL DEFAULT 0', // Includes the current attempt.
    lease: 'text', // Only the worker that has it may end the job. Null while the job waits.
    again_after: 'text', // The earliest start of another run, if the job was requested while it was claimed.
    payload: 'text', // JSON for the handler.
    progress: 'text', // JSON for observers, stored by the last attempt.
    'PRIMARY KEY': '(kind, key)',
  },
  rate_windows: {
    scope: 'text NOT NULL',
    subject: 'text NOT NULL', // A digest if it identifies a person, such as an IP address.
    window_start: 'text NOT NULL',
    expires_at: 'text NOT NULL',
    used: 'integer NOT NULL',
    'PRIMARY KEY': '(scope, subject, window_start)',
  },
  free_scans: {
    hostname: 'text PRIMARY KEY',
    started_at: 'text NOT NULL',
    finished_at: 'text', // Null while the scan runs.
    body: 'bytes', // JSON in UTF-8. Null while the scan runs, and if it failed.
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;
