import type { Middleware } from 'koa';
import bodyParser from 'koa-bodyparser';
import { ServiceError } from '../platform/errors.js';
import { InputError, TooSoonError } from '../platform/input-error.js';
import { whenBroken } from '../platform/http/request-body.js';
import type { Exchange, WebState } from './exchange.js';

/** Our longest form is an e-mail address and two passwords. */
const FORM_LIMIT = '64kb';

/** Reads the fields that a form sends (`application/x-www-form-urlencoded`). A body of any other type is no form, and is not read. */
export function forms(): Middleware<WebState> {
  const parse = bodyParser({
    enableTypes: ['form'],
    formLimit: FORM_LIMIT,
    onerror: (error) => {
      throw new ServiceError('status' in error && error.status === 413 ? 'payload_too_large' : 'bad_request');
    },
  });
  return async (exchange, next) => {
    // No browser compresses a form, and the parser would not hear of what is broken behind its limit: that would end the process.
    if (exchange.get('Content-Encoding') !== '') throw new ServiceError('bad_request');
    try {
      await Promise.race([parse(exchange, async () => undefined), whenBroken(exchange.req)]);
    } finally {
      // The parser leaves the rest of a body that is too large where it is: nothing could follow it on the connection.
      exchange.req.resume();
    }
    await next();
  };
}

/** The text that a form sent for `name`; empty when it sent none, the first when it sent several. */
export function fieldOf({ request }: Exchange, name: string): string {
  const fields = (request as { readonly body?: unknown }).body;
  const value: unknown = isRecord(fields) && Object.hasOwn(fields, name) ? fields[name] : undefined;
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : '';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** What was wrong with a form: messages by the name of the field, `''` for the form as a whole. */
export type FieldErrors = Readonly<Record<string, string>>;

/**
 * Does what a form asks for; what the input error says belongs to the field that it names, or else to `field`.
 * @returns the errors, or null when it was done
 * @throws whatever is no InputError
 */
export async function tryForm(field: string, work: () => Promise<void>): Promise<FieldErrors | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return errorsOf(error, field);
  }
}

function errorsOf(error: unknown, field: string): FieldErrors {
  if (!(error instanceof InputError)) throw error;
  return { [error.field ?? field]: error.message };
}

/** How a form is answered that could not be taken: shown again, with what was wrong. */
export interface Rejection {
  readonly status: 422 | 429;
  readonly errors: FieldErrors;
}

/** The same for a form whose use is limited: over the limit, the answer says when it is worth another try (RFC 6585 §4). */
export async function tryLimitedForm(
  exchange: Exchange,
  field: string,
  work: () => Promise<void>,
): Promise<Rejection | null> {
  try {
    await work();
    return null;
  } catch (error) {
    const errors = errorsOf(error, field);
    if (!(error instanceof TooSoonError)) return { status: 422, errors };
    exchange.set('Retry-After', String(error.retryAfterS));
    return { status: 429, errors };
  }
}
