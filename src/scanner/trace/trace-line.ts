import type { RunEvent } from '../client/visit.js';

const LINE_CHARS_MAX = 100;
const PART_CHARS = 16;
const DECISION_CHARS = 10;

/** Describes an event in one line: the part that made the request, the decision, the request and the response. */
export function describeEvent(event: RunEvent, origin: URL): string {
  const [decision, outcome] = describeOutcome(event, origin);
  const { part, method, url } = event.request;
  const start = `${cut(part?.name ?? '-', PART_CHARS).padEnd(PART_CHARS)} ${decision.padEnd(DECISION_CHARS)} ${method} `;
  const end = cut(outcome, (LINE_CHARS_MAX - start.length) / 2);
  return start + cut(formatUrl(url, origin), LINE_CHARS_MAX - start.length - end.length) + end;
}

function describeOutcome(event: RunEvent, origin: URL): readonly [decision: string, outcome: string] {
  switch (event.kind) {
    case 'sent': {
      const { fetched } = event;
      const time = `${Math.round(fetched.sent.durationMs)} ms`;
      if ('failure' in fetched) return ['failed', `: ${toWords(fetched.failure)}, ${time}`];
      return ['sent', `: ${fetched.response.status}, ${time}`];
    }
    case 'cached':
      return ['memo', ': answered before'];
    case 'refused':
      return ['refused', `: ${toWords(event.reason)}`];
    case 'unsent':
      return ['not sent', `: ${toWords(event.failure)}`];
    case 'retried':
      return ['retried', `: after ${event.pauseMs} ms`];
    case 'redirected':
      return ['redirected', ` to ${formatUrl(event.to, origin)}`];
    case 'stopped': {
      const at = event.to ? `, at ${formatUrl(event.to, origin)}` : '';
      return ['stopped', `: ${toWords(event.failure ?? 'not_asked_for')}${at}`];
    }
  }
}

/** Returns a path on the site, or a whole URL. A parsed URL has no control characters, so a terminal can show it. */
function formatUrl(url: URL, origin: URL): string {
  return url.origin === origin.origin ? url.pathname + url.search : url.href;
}

function toWords(code: string): string {
  return code.replaceAll('_', ' ');
}

function cut(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax - 1)}…`;
}
