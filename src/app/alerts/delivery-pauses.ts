const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The pauses that Standard Webhooks gives as its example ("Deliverability and reliability"): a little more than three days. */
const PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** How often a message is sent before it is given up: once, and after each pause. */
export const WEBHOOK_ATTEMPTS_MAX = PAUSES_MS.length + 1;

/** A mail server that does not answer for 17 hours is the operator's to fix, and the alert is old by then. */
export const MAIL_ATTEMPTS_MAX = 7;

/** Up to this share of a pause is added, so that messages that failed together do not come back together. */
const JITTER = 0.1;

/** A receiver cannot put a message off for longer than the longest pause. */
const ASKED_MS_MAX = 24 * HOUR_MS;

/**
 * How long the next attempt waits.
 * @param attempts how many there were
 * @param random from 0 to 1
 * @param askedMs what the receiver asked for; heeded where it is longer, up to a day
 */
export function pauseBeforeNext(attempts: number, random: number, askedMs = 0): number {
  const pauseMs = PAUSES_MS[attempts - 1] ?? ASKED_MS_MAX;
  return Math.round(Math.max(pauseMs * (1 + JITTER * random), Math.min(askedMs, ASKED_MS_MAX)));
}

/** What Retry-After asks for, in seconds or as a date (RFC 9110 §10.2.3); 0 for anything else. */
export function parseRetryAfter(value: string | null, now: Date): number {
  const text = (value ?? '').trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return 0;
  return Math.max(0, Date.parse(text) - now.getTime()) || 0;
}

/** What the JSON of a 429 asks for as `retry_after`, in seconds with decimals (Discord, "Rate Limit Response Structure"); 0 for anything else. */
export function parseRetryBody(body: string): number {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return 0;
  }
  const seconds: unknown =
    typeof answer === 'object' && answer !== null && 'retry_after' in answer && answer.retry_after;
  return typeof seconds === 'number' && seconds > 0 ? Math.ceil(seconds * SECOND_MS) : 0;
}
