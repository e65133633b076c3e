/**
 * Every error that the service answers: its code, HTTP status and public message. The one table: the description
 * document lists it, and a test compares both. A cause never goes into the message; it stays in the log.
 */
export const ERRORS = {
  invalid_run_number: { status: 400, message: 'The run number must be a positive integer such as 12.' },
  missing_api_key: { status: 401, message: 'Send an API key in the header "Authorization: Bearer <API_KEY>".' },
  invalid_api_key: { status: 401, message: 'The API key is unknown or revoked. Create a new one under API keys.' },
  plan_without_api: { status: 403, message: "The account's plan does not include the API. MONITOR and above do." },
  site_not_owned: { status: 403, message: "The site belongs to another account than the key's." },
  site_not_found: {
    status: 404,
    message: 'There is no such site. Copy its id from the address of its dashboard page.',
  },
  run_not_found: { status: 404, message: 'The site has no run of this number.' },
  no_completed_run: { status: 404, message: 'The site has no completed run yet. Start one with createRun.' },
  domain_not_verified: {
    status: 409,
    message: 'The ownership of the domain is not verified yet. Verify it on the page of the site, then try again.',
  },
  monthly_quota_exceeded: {
    status: 429,
    message: 'The monthly request quota of this key is spent. It starts anew with the next month (UTC).',
  },
  daily_runs_exceeded: {
    status: 429,
    message: 'The daily run budget of this site is used up. It starts anew with the next day (UTC).',
  },
  bad_request: { status: 400, message: 'The request could not be read as HTTP/1.1, or its headers are too large.' },
  not_found: {
    status: 404,
    message: 'There is nothing at this address. The paths are listed in /api/v1/openapi.json.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This address does not take this method. The Allow header lists those it does.',
  },
  payload_too_large: { status: 413, message: 'The request body is over 64 KiB. This operation needs none.' },
  overloaded: {
    status: 503,
    message: 'The service cannot do this right now. Try again after the seconds in Retry-After.',
  },
  internal_error: {
    status: 500,
    message: 'The service failed. The request id in X-Request-Id helps us to find out why.',
  },
} as const;
export type ErrorCode = keyof typeof ERRORS;

/** What is left of a key's monthly quota: the X-RateLimit headers. */
export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
}

/** A refusal with a code of the table. `retryAfterS` becomes Retry-After; `cause` goes to the log only. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly retryAfterS: number | undefined;
  /** Set where the refusal comes from the quota step itself, so that its answer carries X-RateLimit too. */
  readonly rateLimit: RateLimit | undefined;
  /** Whether the request that is refused so costs nothing: refusals of the day's budget, and whatever is a failure of ours. */
  readonly isChargeReturned: boolean;

  constructor(
    readonly code: ErrorCode,
    options: { retryAfterS?: number; rateLimit?: RateLimit; isChargeReturned?: boolean; cause?: unknown } = {},
  ) {
    super(ERRORS[code].message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retryAfterS = options.retryAfterS;
    this.rateLimit = options.rateLimit;
    this.isChargeReturned = options.isChargeReturned ?? (code === 'daily_runs_exceeded' || this.status >= 500);
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}
