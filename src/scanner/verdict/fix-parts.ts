import { ASSISTANT_TOKENS, ASSISTANTS } from '../artifacts/agents.js';

/** Servers with different fixes, in display order, each with the line that introduces its instructions. */
export const SERVERS = {
  nginx: 'In nginx:',
  Apache: 'In Apache:',
  Caddy: 'In Caddy:',
  Cloudflare: 'On Cloudflare:',
  'Vercel and Netlify': 'On Vercel and Netlify:',
  WordPress: 'In WordPress:',
} as const;
export type Server = keyof typeof SERVERS;

/** Platforms that run the server, so that the owner of a site cannot configure it. */
export const HOSTED = ['Shopify', 'Squarespace', 'Wix'] as const;
export type Hosted = (typeof HOSTED)[number];

/** Where a site can run. Its owner sees only the instructions that apply there. */
export const PLATFORMS = [...HOSTED, ...(Object.keys(SERVERS) as Server[])];
export type Platform = Hosted | Server;

/** Returns null for anything but the name of a platform. */
export function findPlatform(name: string): Platform | null {
  return PLATFORMS.find((one) => one === name) ?? null;
}

const BY_LINE: ReadonlyMap<string, string> = new Map(Object.entries(SERVERS).map(([server, line]) => [line, server]));

/** A part of a fix. The parts after a `server`, up to the next one, apply only to that server. */
export interface FixPart {
  readonly kind: 'prose' | 'list' | 'snippet' | 'server';
  /** The text, or the name of a `server`. */
  readonly text: string;
}

/** Host that fixes use for the site. */
const EXAMPLE_HOST = 'www.example.com';

/** Returns the robots.txt lines that name these agents. */
export function userAgentLines(agents: readonly string[]): string {
  return agents.map((agent) => `User-agent: ${agent}\n`).join('');
}

/** Returns a fix for a site: with its origin instead of the example's, and with only the assistants that the detail names. */
export function fixFor(origin: string, fix: string, detail: string | null): string {
  const host = origin.slice(origin.indexOf('://') + '://'.length);
  return fix
    .replaceAll(`https://${EXAMPLE_HOST}`, () => origin)
    .replaceAll(EXAMPLE_HOST, () => host)
    .replace(userAgentLines(ASSISTANT_TOKENS), userAgentLines(agentsToAdmit(detail)));
}

/** Returns all agents of each assistant with an agent that the detail names; of every assistant if it names none, or is cut. */
function agentsToAdmit(detail: string | null): readonly string[] {
  const named = ASSISTANTS.filter(({ tokens }) => tokens.some((token) => detail?.includes(token)));
  const isCut = detail !== null && /\d more\b|…$/.test(detail);
  return named.length === 0 || isCut ? ASSISTANT_TOKENS : named.flatMap(({ tokens }) => tokens);
}

/** Splits a fix into its paragraphs, lists and fenced snippets. */
export function splitFix(fix: string): readonly FixPart[] {
  return fix.split('```').flatMap((block, index): readonly FixPart[] => {
    const text = block.trim();
    if (index % 2 === 1) return [{ kind: 'snippet', text }];
    return text === '' ? [] : text.split('\n\n').map(parsePart);
  });
}

function parsePart(paragraph: string): FixPart {
  const server = BY_LINE.get(paragraph);
  if (server !== undefined) return { kind: 'server', text: server };
  const isList = paragraph.split('\n').every((line) => line.startsWith('- '));
  return { kind: isList ? 'list' : 'prose', text: paragraph };
}

/** Returns the part of a fix that applies to every server. */
export function generalPart(fix: string): string {
  const starts = Object.values(SERVERS).map((line) => fix.indexOf(`\n\n${line}\n`));
  return fix.slice(0, Math.min(fix.length, ...starts.filter((start) => start >= 0)));
}
