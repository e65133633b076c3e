import type { Evidence } from '../artifacts/evidence.js';
import { valueOf } from '../artifacts/evidence.js';
import type { LlmsFile } from '../artifacts/llms.js';
import type { Outcome } from '../artifacts/resource.js';
import { toFileFacts } from '../probe/file-facts.js';
import type { SiteResponse } from '../client/visit.js';
import type { CollectContext, ReadOptions } from '../probe/collector.js';

/** The file at the root; an announced one has the same name in another folder. */
export const LLMS_PATH = '/llms.txt';

/** An H1 at the start of a line: identifies the file if a site answers every path with text. */
const H1_LINE = /^\uFEFF?#[ \t]+\S/m;
const OPTIONS: ReadOptions = { validates: async (response) => H1_LINE.test((await toFileFacts(response)).text) };

/** Reads the llms.txt at the root, or an announced one. Every caller sends the same request, so each file is fetched once. */
export function readLlms(context: CollectContext, announced?: URL): Promise<Evidence<Outcome<SiteResponse>>> {
  return announced ? context.read(announced, 'txt', OPTIONS) : context.readFile(LLMS_PATH, 'txt', OPTIONS);
}

/** The llms.txt that is judged. */
interface ChosenLlms extends Pick<LlmsFile, 'place' | 'pages'> {
  readonly read: Evidence<Outcome<SiteResponse>>;
}

/**
 * The file at the root covers the home page, so it is judged where it exists. Otherwise the first announced one that can be read;
 * v2 names no fixed place, so that then an error at the root costs nothing. Without either, what the root answers.
 */
export async function chooseLlms(context: CollectContext): Promise<ChosenLlms> {
  const root = await readLlms(context);
  const ofRoot = { read: root, place: null, pages: null };
  if (valueOf(root)?.kind === 'present') return ofRoot;
  const announced = valueOf(await context.evidence('announcedLlms')) ?? [];
  const chosen = announced.find(({ state }) => state === 'text');
  if (!chosen) return ofRoot;
  const { url, place, leadsTo } = chosen;
  const pages = announced.flatMap((one) => (one.leadsTo?.href === leadsTo?.href ? one.pages : []));
  return { read: await readLlms(context, url), place, pages };
}
