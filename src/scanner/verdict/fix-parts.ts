import { CORE_TOKENS } from '../artifacts/agents/tokens.js';

/** The servers for which fixes differ, in the order in which they are shown, and the lines that introduce what is for them alone. */
export const SERVERS = {
  nginx: 'In nginx:',
  Apache: 'In Apache:',
  Caddy: 'In Caddy:',
  Cloudflare: 'On Cloudflare:',
  'Vercel and Netlify': 'On Vercel and Netlify:',
  WordPress: 'In WordPress:',
} as const;
export type Server = keyof typeof SERVERS;

const SERVER_OF: ReadonlyMap<string, string> = new Map(Object.entries(SERVERS).map(([server, line]) => [line, server]));

/**
 * A part of a check's fix: sentences, a list of them, or a snippet to paste. What follows a `server` is for it alone, up to the next one
 * or the end.
 */
export interface FixPart {
  readonly kind: 'prose' | 'list' | 'snippet' | 'server';
  /** Of a `server`, its name. */
  readonly text: string;
}

/** The host of the registry's snippets, with and without its scheme. */
const EXAMPLE_SITE = /(https:\/\/)?\bwww\.example\.com\b/g;

/** The records of robots.txt that name each core agent, as in a fix that lets them in. */
const ALL_AGENTS = recordsOf(CORE_TOKENS);

/**
 * A fix as it is shown to the owner of a site: the snippets have its own origin in place of the example's, and of the agents just those that
 * the detail says are shut out. Stored findings keep the text of the registry.
 */
export function fixFor(origin: string, fix: string, detail: string | null): string {
  const host = origin.slice(origin.indexOf('://') + '://'.length);
  return fix
    .replace(EXAMPLE_SITE, (_, scheme: string | undefined) => (scheme === undefined ? host : origin))
    .replace(ALL_AGENTS, recordsOf(agentsIn(detail)));
}

/** The page that has moved in the fixes of the registry: as a link, in redirects, as a pattern, and where it has moved to. */
const MOVED_LINK = /\[Pricing\]\(([^\s()]{1,300})\/pricing\): plans and limits/;
const MOVED_PATTERN = '^/old-pricing$';
const MOVED = '/old-pricing';
const MOVED_TO = /(?<![\w.])\/pricing\b/g;

/** What a snippet for any of {@link SERVERS} can have as it is, but for the dots of a pattern. */
const PLAIN_PATH = /^(?!.{0,2000}\/\/)\/[\w.~/-]{1,2000}$/;

/** A fix that redirects a page does so for the one that is gone. @param path of the site's own words: what would need quoting changes nothing */
export function redirectFrom(path: string, fix: string): string {
  if (!fix.includes(MOVED) || !PLAIN_PATH.test(path)) return fix;
  return fix
    .replace(MOVED_LINK, '[Name of the page]($1/new-address): what it is about')
    .replace(MOVED_TO, '/new-address')
    .replaceAll(MOVED_PATTERN, () => `^${path.replaceAll('.', '\\.')}$`)
    .replaceAll(MOVED, () => path);
}

function recordsOf(agents: readonly string[]): string {
  return agents.map((agent) => `User-agent: ${agent}\n`).join('');
}

/** The core agents that a detail names; all of them where it names none, or not all that it means. */
function agentsIn(detail: string | null): readonly string[] {
  const named = CORE_TOKENS.filter((agent) => detail?.includes(agent));
  const isCut = detail !== null && /\d more\b|…$/.test(detail);
  return named.length === 0 || isCut ? CORE_TOKENS : named;
}

/**
 * Splits a fix, which is plain text, into paragraphs and the snippets between them. Stored runs keep the texts of their day, so
 * parts are recognised by their appearance. A snippet may contain empty lines.
 */
export function splitFix(fix: string): readonly FixPart[] {
  const parts: FixPart[] = [];
  for (const paragraph of fix.split(/\n{2,}/)) {
    const server = SERVER_OF.get(paragraph);
    const text = server ?? paragraph;
    const kind = server === undefined ? kindOf(text) : 'server';
    const last = parts.at(-1);
    if (kind === 'snippet' && last?.kind === 'snippet') parts.splice(-1, 1, { kind, text: `${last.text}\n\n${text}` });
    else parts.push({ kind, text });
  }
  return parts;
}

/** What a fix says whatever the server is. */
export function withoutServers(fix: string): string {
  const parts = splitFix(fix);
  const firstServer = parts.findIndex(({ kind }) => kind === 'server');
  return (firstServer < 0 ? parts : parts.slice(0, firstServer)).map(({ text }) => text).join('\n\n');
}

/** A line of code may have as many words as a short sentence, but does not end like one. */
const PROSE_WORDS_MIN = 6;

/** A command with an option: `curl -i https://www.example.com/`. */
const COMMAND = /^[a-z]+ -{1,2}[a-zA-Z]/;

/** Prose begins with a word, and ends like a sentence or with an address; a snippet does neither. */
function kindOf(text: string): FixPart['kind'] {
  if (COMMAND.test(text)) return 'snippet';
  const lines = text.split('\n');
  const isList = lines.every((line) => line.startsWith('- '));
  const isWordy = lines.some((line) => line.split(' ').length >= PROSE_WORDS_MIN);
  const beginsLikeProse = /^(?:- )?(?:"|\/\.?)?[A-Za-z]/.test(text);
  const endsLikeProse = /[.:?!]$/.test(text) || (isWordy && !/[\])}>;,]$/.test(text));
  if (!beginsLikeProse || !endsLikeProse) return 'snippet';
  return isList ? 'list' : 'prose';
}
