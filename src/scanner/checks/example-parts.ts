import type { Example, ExampleAnswer, ExampleAnswers } from '../verdict/example.js';
import type { Failure } from '../verdict/failure.js';
import { splitFix } from '../verdict/fix-parts.js';

/** A fix as its reader follows it, so that an example passes by nothing else. */
interface ReadFix {
  /** The snippet that begins like this. */
  readonly snippet: (start: string) => string;
  /** What a server that follows the nginx block sends for the file of that block. */
  readonly served: (body: string) => ExampleAnswers;
  /** What it redirects. */
  readonly redirected: () => ExampleAnswers;
  /** The nginx block. */
  readonly nginx: string;
}

export function readFix({ fix }: Pick<Failure, 'fix'>): ReadFix {
  const parts = splitFix(fix);
  const nginx = parts[parts.findIndex(({ kind, text }) => kind === 'server' && text === 'nginx') + 1]?.text ?? '';
  return {
    nginx,
    snippet: (start) => {
      const found = parts.find(({ kind, text }) => kind === 'snippet' && text.startsWith(start));
      if (!found) throw new Error(`no snippet of this fix begins with ${start}: ${fix}`);
      return found.text;
    },
    served: (body) => {
      const [, path = ''] = /location = (\S+)/.exec(nginx) ?? [];
      const [, type] = /default_type "([^"]+)"/.exec(nginx) ?? [];
      return { [path]: type === undefined ? body : { type, body } };
    },
    redirected: () => {
      const [, from = '', status, location = ''] = /location = (\S+) { return (\d+) (\S+); }/.exec(nginx) ?? [];
      return { [from]: { status: Number(status), headers: { location } } };
    },
  };
}

export const PAGE: ExampleAnswer = { type: 'text/html', body: '<!doctype html><title>Page</title><p>A page' };
export const REFUSED: ExampleAnswer = { status: 403, body: 'no' };
export const BROKEN: ExampleAnswer = { status: 500, body: 'no' };
export const STALLED: ExampleAnswer = { failure: 'stalled' };
/** A machine endpoint that takes no GET. */
export const ALIVE: ExampleAnswer = { status: 405, type: null };

export function json(body: string, type = 'application/json'): ExampleAnswer {
  return { type, body };
}

export function home(markup: string): ExampleAnswer {
  return { type: 'text/html', body: `<!doctype html><title>Shop</title>${markup}<body><a href="/start">Start</a>` };
}

export function inScript(members: string, type = 'Product'): string {
  return `<script type="application/ld+json">
{"@context": "https://schema.org", "@type": "${type}", "name": "Lamp",
${members}}
</script>`;
}

export function urlset(entries: string): string {
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`;
}

/** A site that does not send a file as it should, until it does what the fix says for nginx. */
export function unserved(path: string, answer: ExampleAnswer, failure: Failure, body: string): Example {
  return { failing: { [path]: answer }, passing: readFix(failure).served(body) };
}
