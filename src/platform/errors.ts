/** Every error of the API: code, HTTP status and public message. A cause never appears in the message, only in the log. */
export const ERRORS = {
  invalid_run_number: {
    status: 400,
    message: 'The run number must be a positive integer without leading zeros, such as 12.',
  },
  missing_api_key: { status: 401, message: 'Send an API key in the header "Authorization: Bearer <API_KEY>".' },
  invalid_api_key: { status: 401, message: 'The API key is unknown or revoked. Create a new one under "API keys".' },
  plan_without_api: { status: 403, message: 'Your plan does not include the API. MONITOR and higher plans do.' },
  site_not_owned: { status: 403, message: 'The site belongs to another account. Use a key of that account.' },
  site_not_found: {
    status: 404,
    message: 'There is no such site. Copy its id from the URL of its dashboard page.',
  },
  run_not_found: { status: 404, message: 'The site has no run with this number. Read the newest with getLatestRun.' },
  no_completed_run: {
    status: 404,
    message: 'The site has no completed run yet. Start one with createRun (POST /api/v1/sites/{siteId}/runs).',
  },
  domain_not_verified: {
    status: 409,
    message: "Domain ownership is not verified yet. Verify it on the site's dashboard page, then try again.",
  },
  monthly_quota_exceeded: {
    status: 429,
    message: 'This key has used all its requests for this month. Try again next month (UTC): see Retry-After.',
  },
  daily_runs_exceeded: {
    status: 429,
    message: 'This site has used all its runs for today. Try again after 00:00 UTC: see Retry-After.',
  },
  // The HTTP parser may give a more specific status: 408, 413 or 431 (platform/http/server.ts).
  bad_request: { status: 400, message: 'The request could not be read as HTTP/1.1, or its headers are too large.' },
  not_found: {
    status: 404,
    message: 'There is nothing at this address. The paths are listed in /api/v1/openapi.json.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This address does not accept this method. The Allow header lists the ones it accepts.',
  },
  payload_too_large: { status: 413, message: 'The request body is larger than 64 KiB. This operation needs none.' },
  overloaded: {
    status: 503,
    message: 'The service is busy or restarting. Try again after the number of seconds in Retry-After.',
  },
  internal_error: {
    status: 500,
    message: 'The service failed. Quote the id in X-Request-Id when you report this.',
  },
} as const;
export type ErrorCode = keyof typeof ERRORS;

/** Returns the codes for the document and the page of all errors. `statuses`: such as `404`, or `400, 408, 413 or 431`. */
export function documentedErrors() {
  return (Object.keys(ERRORS) as ErrorCode[]).map((code) => ({
    code,
    statuses: code === 'bad_request' ? '400, 408, 413 or 431' : String(ERRORS[code].status),
    message: ERRORS[code].message,
  }));
}

/** A key's monthly quota, or a site's daily run budget. */
export interface RateLimit {
  readonly policy: 'month' | 'day';
  readonly limit: number;
  readonly remaining: number;
  /** A moment within the UTC month or day that the limit counts. */
  readonly at: Date;
}

/** The default `Retry-After` for temporary failures of unknown duration. */
const RETRY_AFTER_S = 5;

/** An error that clients see: HTTP status, code for programs, message for people. Any other error is answered as `internal_error`. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  /** Whole seconds, set for every 429 and 503; undefined where waiting does not help. */
  readonly retryAfterS: number | undefined;

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    { retryAfterS, cause }: { readonly retryAfterS?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.retryAfterS = retryAfterS ?? (status === 429 || status === 503 ? RETRY_AFTER_S : undefined);
  }
}

/** A refusal whose code is in {@link ERRORS}. */
export class ServiceError extends Refusal {
  override readonly name = 'ServiceError';
  declare readonly code: ErrorCode;
  /** The exceeded limit, for the answer's headers. */
  readonly rateLimit: RateLimit | undefined;
  /** True if the refused request is not charged: true for the daily run budget, and for every internal failure. */
  readonly isChargeReturned: boolean;

  constructor(
    code: ErrorCode,
    options: { retryAfterS?: number; rateLimit?: RateLimit; isChargeReturned?: boolean; cause?: unknown } = {},
  ) {
    const { status, message } = ERRORS[code];
    super(status, code, message, options);
    this.rateLimit = options.rateLimit;
    this.isChargeReturned = options.isChargeReturned ?? (code === 'daily_runs_exceeded' || status >= 500);
  }
}

/**
 * Invalid input from an operator or a user. The message says what is wrong and what to do, and is safe to show: the command line
 * prints it and exits with 2, a form shows it next to the field.
 */
export class InputError extends Refusal {
  override readonly name: string = 'InputError';

  /** @param field name of the invalid field, for a form with several */
  constructor(
    message: string,
    readonly field?: string,
    retryAfterS?: number,
  ) {
    const isTooSoon = retryAfterS !== undefined;
    super(isTooSoon ? 429 : 422, isTooSoon ? 'overloaded' : 'bad_request', message, { retryAfterS });
  }
}

/** Thrown when a rate limit is reached. The input is valid, but comes too early. */
export class RateLimitError extends InputError {
  override readonly name = 'RateLimitError';
  declare readonly retryAfterS: number;

  /** @param retryAfterS whole seconds until another try makes sense, at least 1 */
  constructor(message: string, retryAfterS: number) {
    super(message, undefined, retryAfterS);
  }
}

/** Returns a wait in words: `a minute`, `12 minutes`, `11 hours`. */
export function describeWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 120) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
