import { isUtf8 } from 'node:buffer';
import { found, lacking, shortfallOf } from '../artifacts/evidence.js';
import type { LlmsDocument, LlmsFile, LlmsLink } from '../artifacts/llms.js';
import type { FileFacts, Outcome } from '../artifacts/resource.js';
import { isSameSite } from '../artifacts/site-address.js';
import { EventLoopYielder } from '../../net/event-loop.js';
import { safeText, term } from '../artifacts/safe-text.js';
import type { LlmsMarkdown } from '../parsers/llms/llms.js';
import { parseLlms } from '../parsers/llms/llms.js';
import { decodeBody } from '../parsers/text.js';
import type { CollectContext, Collector } from '../probe/collector.js';
import { chooseLlms } from './read-llms.js';
import { toFileFacts } from '../probe/file-facts.js';
import type { SiteResponse } from '../client/visit.js';

const MARKDOWN_TYPES: ReadonlySet<string | null> = new Set(['text/plain', 'text/markdown', 'text/x-markdown', null]);
/** The placeholders of the template at llmstxt.org, word for word. */
const TEMPLATE =
  /\[Link title\]\(|Optional (?:link )?details go here|Optional description goes here|Optional link details/;
/** When our limit cuts a UTF-8 character, it lacks at most this many bytes. */
const CUT_BYTES_MAX = 3;

/** The llms.txt that is judged: the one at the root of the file origin, else one that pages announce. */
export const collectLlms: Collector<'llms'> = async (context) => {
  const { read, place, pages } = await chooseLlms(context);
  if ('failed' in read) {
    return shortfallOf(term('/llms.txt'), read.failed);
  }
  if (read.ok.kind !== 'present') return found(read.ok);
  const value = { ...(await toFileFacts(read.ok.value)), url: read.ok.value.url, place, pages };
  return found<Outcome<LlmsFile>>({ kind: 'present', value });
};

/**
 * The parsed llms.txt. Not applicable unless there is a body to read: C-LLMS-01 passes, or finds Markdown under another type. An
 * HTML page, or a body of another kind (JSON, a binary file under its own type), fails only C-LLMS-01.
 */
export const collectLlmsDocument: Collector<'llmsDocument'> = async (context) => {
  const llms = await context.evidence('llms');
  if ('failed' in llms || llms.ok.kind !== 'present' || llms.ok.value.isHtml) return NOTHING_TO_READ;
  const { read } = await chooseLlms(context);
  if ('failed' in read || read.ok.kind !== 'present') return NOTHING_TO_READ;
  const file = llms.ok.value;
  const text = await readText(file, read.ok.value);
  const markdown = await parseLlms(text ?? file.text);
  if (!MARKDOWN_TYPES.has(file.mediaType) && !isMarkdown(markdown)) return NOTHING_TO_READ;
  return found<LlmsDocument>({
    ...markdown,
    textFault: findTextFault(text),
    characterCount: countCharacters(text ?? file.text),
    isOverLimit: file.isOverLimit,
    hasTemplateText: TEMPLATE.test(text ?? file.text),
    links: await resolveLinks(markdown, read.ok.value.url, context),
  });
};

const NOTHING_TO_READ = lacking(
  'NOT_APPLICABLE',
  safeText`There is no llms.txt that can be read as Markdown (see C-LLMS-01).`,
);

function isMarkdown({ firstHeading, links }: LlmsMarkdown): boolean {
  return firstHeading !== null || links.length > 0;
}

/** The text if its bytes are UTF-8, whatever charset a server adds to every text file; else null. */
async function readText({ isOverLimit }: FileFacts, { body }: SiteResponse): Promise<string | null> {
  if (!isUtf8(body) && !(isOverLimit && isUtf8UpToCut(body))) return null;
  return (await decodeBody(body, null)).text;
}

function findTextFault(text: string | null): LlmsDocument['textFault'] {
  if (text === null) return 'not-utf8';
  if (text.includes('\0')) return 'binary';
  return text.replace(/^\uFEFF/, '').trim() === '' ? 'empty' : null;
}

function isUtf8UpToCut(body: Uint8Array): boolean {
  return Array.from({ length: CUT_BYTES_MAX }, (_, cut) => body.subarray(0, body.length - cut - 1)).some((part) =>
    isUtf8(part),
  );
}

/** Unicode code points without a BOM: a character past U+FFFF is two units of the string. */
function countCharacters(text: string): number {
  const pairs = text.match(/[\uD800-\uDBFF]/g)?.length ?? 0;
  return text.length - pairs - (text.startsWith('\uFEFF') ? 1 : 0);
}

async function resolveLinks({ links }: LlmsMarkdown, base: URL, context: CollectContext): Promise<LlmsLink[]> {
  const yielder = new EventLoopYielder();
  const resolved: LlmsLink[] = [];
  for (const { line, target } of links) {
    if (yielder.isDue) await yielder.yieldNow();
    const url = target.trim() === '' ? null : URL.parse(target, base);
    const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
    const isFirstParty = url !== null && isWeb && isSameSite(url, context.target.origin);
    resolved.push({ line, url, isFirstParty, isPrivate: url !== null && isWeb && context.isPrivateLink(url) });
  }
  return resolved;
}
