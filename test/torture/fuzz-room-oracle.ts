import { faultsAt } from '../support/contract.js';
import type { HttpAnswer } from '../support/http-client.js';
import type { Room } from './fuzz-model.js';

/** What no body may show: where we are, what we run on, what went wrong within. */
const LEAK =
  /node_modules|\n\s+at \S+ \(|file:\/\/\/|\bSQLITE_|SqliteError|\bknex\b|\b(?:Range|Type|Syntax|Reference)Error\b|"stack":|[\w-]\.tsx?:\d+|invalid byte sequence/;

const REQUEST_ID = /^[\w.~-]{1,64}$/;

/** The statuses that a client can bring about. */
const STATUSES: Readonly<Record<Room, readonly number[]>> = {
  api: [200, 201, 204, 304, 400, 401, 403, 404, 405, 409, 413, 429],
  hooks: [200, 202, 204, 400, 404, 405, 413, 429],
  mcp: [200, 202, 400, 403, 404, 405, 406, 413, 415],
  metrics: [200, 204, 400, 401, 404, 405],
  web: [200, 201, 303, 304, 308, 400, 403, 404, 405, 409, 413, 422, 429],
};

/** Headers that every answer of a room has, with what must be in them. */
const PROMISED: Readonly<Record<Room, Readonly<Record<string, RegExp>>>> = {
  api: {},
  hooks: { 'cache-control': /^no-store$/, 'referrer-policy': /^no-referrer$/ },
  mcp: {},
  metrics: {},
  web: {
    'content-security-policy': /^default-src 'none'; (?!.*unsafe)/,
    'referrer-policy': /^same-origin$/,
    'cross-origin-opener-policy': /^same-origin$/,
    'permissions-policy': /camera=\(\)/,
    'strict-transport-security': /^max-age=\d{8}$/,
  },
};

const OWN_COOKIE = '__Host-session=[\\w-]*; path=/; expires=[^;]+; samesite=lax; secure; httponly';
const OWN_COOKIES = new RegExp(`^${OWN_COOKIE}(, ?${OWN_COOKIE})*$`, 'i');

/** What is wrong with the answer of a room, whatever it was asked; empty when nothing is. */
export function roomFaults(room: Room, answer: HttpAnswer): string[] {
  const { status, headers, text } = answer;
  const faults = [...idFaults(answer), ...leakFaults(text)];
  // What was not HTTP never came to a room.
  if (isRefusedAsHttp(answer)) return [...faults, ...jsonErrorFaults(answer)];
  if (!STATUSES[room].includes(status)) faults.push(`${room}: status ${status}`);
  for (const [name, pattern] of Object.entries(PROMISED[room])) {
    if (!pattern.test(headers[name] ?? '')) faults.push(`${room}: ${name} is ${headers[name] ?? 'missing'}`);
  }
  const cookie = headers['set-cookie'];
  if (cookie !== undefined && !OWN_COOKIES.test(cookie)) faults.push(`the cookie is ${cookie}`);
  if (answer.method === 'HEAD' || text === '') return faults;
  return [...faults, ...(room === 'mcp' ? rpcFaults(answer) : contentFaults(answer))];
}

function idFaults({ headers }: HttpAnswer): string[] {
  const id = headers['x-request-id'] ?? '';
  const isSniffable = headers['x-content-type-options'] !== 'nosniff';
  return [...(REQUEST_ID.test(id) ? [] : ['X-Request-Id is missing']), ...(isSniffable ? ['nosniff is missing'] : [])];
}

function leakFaults(text: string): string[] {
  const found = LEAK.exec(text);
  return found
    ? [`the body tells ${JSON.stringify(text.slice(Math.max(0, found.index - 60), found.index + 120))}`]
    : [];
}

function isRefusedAsHttp({ status, text }: HttpAnswer): boolean {
  return status !== 403 && text.startsWith('{"error":{"code":"bad_request"');
}

function contentFaults(answer: HttpAnswer): string[] {
  const { status, headers, text } = answer;
  const type = headers['content-type'] ?? '';
  if (type === 'text/html; charset=utf-8') return text.startsWith('<!doctype html>') ? [] : ['the page is not a page'];
  if (status >= 400) return jsonErrorFaults(answer);
  if (/^application\/(?:[\w.-]+\+)?json\b/.test(type)) return isJson(text) ? [] : ['the body is not JSON'];
  return type === '' ? ['the body has no type'] : [];
}

function jsonErrorFaults({ headers, text }: HttpAnswer): string[] {
  if (!headers['content-type']?.startsWith('application/json')) return [`an error as ${headers['content-type'] ?? ''}`];
  if (!isJson(text)) return ['the error is not JSON'];
  return faultsAt('/components/schemas/Error', withoutOwnCode(JSON.parse(text)));
}

/** Hooks and metrics have a code each that the document does not list. */
function withoutOwnCode(body: unknown): unknown {
  const { error } = body as { error?: { code?: unknown } };
  const isOwn = error?.code === 'invalid_wait' || error?.code === 'invalid_metrics_token';
  return isOwn ? { error: { ...error, code: 'not_found' } } : body;
}

/** JSON-RPC 2.0 §4 and §5: each message answers with a result or an error, or is a notification. */
function rpcFaults({ headers, text }: HttpAnswer): string[] {
  const isStream = headers['content-type']?.startsWith('text/event-stream') ?? false;
  const texts = isStream ? Array.from(text.matchAll(/^data: (.*)$/gm), ([, data = '']) => data) : [text];
  const messages = texts.flatMap((data): unknown[] => {
    if (!isJson(data)) return [null];
    const value = JSON.parse(data) as unknown;
    return Array.isArray(value) ? value : [value];
  });
  return messages.every(isRpc) ? [] : [`no JSON-RPC: ${text.slice(0, 200)}`];
}

function isRpc(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const message = value as Readonly<Record<string, unknown>>;
  if (message.jsonrpc !== '2.0') return false;
  if ('method' in message) return !('id' in message);
  const isError = faultsAtError(message.error);
  return 'id' in message && ('result' in message ? !('error' in message) : isError);
}

function faultsAtError(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return Number.isInteger(code) && typeof message === 'string';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
