import { isWebScheme } from '../../net/url-gate.js';
import { isUtf8 } from 'node:buffer';
import { evidenceOf, found, lacking, valueOf } from '../artifacts/evidence.js';
import type { LlmsDocument, LlmsFile, LlmsLink } from '../artifacts/llms.js';
import type { FileFacts, Outcome } from '../artifacts/resource.js';
import { isSameSite } from '../artifacts/site-address.js';
import { safeText, term } from '../artifacts/safe-text.js';
import { type LlmsMarkdown, parseLlms } from '../parsers/llms.js';
import { decodeBody } from '../parsers/text.js';
import type { CollectContext, Collector } from '../probe/context.js';
import type { ReadOptions } from '../probe/outcome.js';
import { toFileFacts } from '../probe/page.js';
import type { SiteResponse } from '../client/visit.js';

const MARKDOWN_TYPES: ReadonlySet<string | null> = new Set(['text/plain', 'text/markdown', 'text/x-markdown', null]);
/** Placeholders of the template at llmstxt.org and of the one in our fixes. */
const TEMPLATE =
  /NAME OF YOUR SITE|\[Link title\]\(|Optional (?:link )?details go here|Optional description goes here|Optional link details/;
/** Most bytes that remain of a UTF-8 character that our limit cut. */
const CUT_BYTES_MAX = 3;

/** Reads the llms.txt that the checks judge: the one at the root of the file origin, else one that pages announce. */
export const collectLlms: Collector<'llms'> = async (context) => {
  const { read, place } = await chooseLlms(context);
  if (read.kind !== 'present') return evidenceOf(term('/llms.txt'), read);
  const value: LlmsFile = { ...toFileFacts(read.value), url: read.value.url, place };
  return found({ kind: 'present', value });
};

/**
 * Parses llms.txt. Not applicable unless the body is Markdown under any type: an HTML page or another kind of file (JSON, a binary file
 * under its own type) fails only C-LLMS-01.
 */
export const collectLlmsDocument: Collector<'llmsDocument'> = async (context) => {
  const llms = await context.evidence('llms');
  if ('failed' in llms || llms.ok.kind !== 'present' || llms.ok.value.isHtml) return NOTHING_TO_READ;
  const { read } = await chooseLlms(context);
  if (read.kind !== 'present') return NOTHING_TO_READ;
  const file = llms.ok.value;
  const text = readText(file, read.value);
  const markdown = parseLlms(text ?? file.text);
  if (!MARKDOWN_TYPES.has(file.mediaType) && !isMarkdown(markdown)) return NOTHING_TO_READ;
  return found<LlmsDocument>({
    ...markdown,
    textFault: findTextFault(text),
    characterCount: countCharacters(text ?? file.text),
    isOverLimit: file.isOverLimit,
    hasTemplateText: TEMPLATE.test(text ?? file.text),
    links: resolveLinks(markdown, read.value.url, context),
  });
};

const NOTHING_TO_READ = lacking(
  'NOT_APPLICABLE',
  safeText`There is no llms.txt that can be read as Markdown (see C-LLMS-01).`,
);

function isMarkdown({ firstHeading, links }: LlmsMarkdown): boolean {
  return firstHeading !== null || links.length > 0;
}

/** Returns the text if the bytes are UTF-8, whatever charset the header names; else null. */
function readText({ isOverLimit }: FileFacts, { body }: SiteResponse): string | null {
  if (!isUtf8(body) && !(isOverLimit && isUtf8UpToCut(body))) return null;
  return decodeBody(body, null);
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

/** Counts Unicode code points without a BOM. */
function countCharacters(text: string): number {
  const pairs = text.match(/[\uD800-\uDBFF]/g)?.length ?? 0;
  return text.length - pairs - (text.startsWith('\uFEFF') ? 1 : 0);
}

function resolveLinks({ links }: LlmsMarkdown, base: URL, context: CollectContext): LlmsLink[] {
  return links.map(({ line, target }) => {
    const url = target.trim() === '' ? null : URL.parse(target, base);
    const isWeb = url !== null && isWebScheme(url);
    const isFirstParty = isWeb && isSameSite(url, context.target.origin);
    return { line, url, isFirstParty, isPrivate: isWeb && context.isPrivateLink(url) };
  });
}

/** Path of the file at the root; an announced file has the same name in another folder. */
export const LLMS_PATH = '/llms.txt';

/** An H1 line, which identifies the file if a site answers every path with text. */
const H1_LINE = /^\uFEFF?#[ \t]+\S/m;
const OPTIONS: ReadOptions = { validates: (response) => H1_LINE.test(toFileFacts(response).text) };

/** Reads the llms.txt at the root, or an announced one. Every caller sends the same request, so each file is fetched once. */
export function readLlms(context: CollectContext, announced?: URL): Promise<Outcome<SiteResponse>> {
  return announced ? context.read(announced, 'txt', OPTIONS) : context.readFile(LLMS_PATH, 'txt', OPTIONS);
}

interface ChosenLlms extends Pick<LlmsFile, 'place'> {
  readonly read: Outcome<SiteResponse>;
}

/**
 * Chooses the llms.txt that the checks judge: the file at the root, which covers the home page; else the first readable announced one (v2
 * has no fixed path, so an error at the root is then no failure); else the response at the root.
 */
export async function chooseLlms(context: CollectContext): Promise<ChosenLlms> {
  const root = await readLlms(context);
  const atRoot = { read: root, place: null };
  if (root.kind === 'present') return atRoot;
  const announced = valueOf(await context.evidence('announcedLlms')) ?? [];
  const chosen = announced.find(({ state }) => state === 'text');
  return chosen ? { read: await readLlms(context, chosen.url), place: chosen.place } : atRoot;
}
