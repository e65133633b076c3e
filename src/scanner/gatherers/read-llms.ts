import type { Evidence } from '../artifacts/evidence.js';
import { valueOf } from '../artifacts/evidence.js';
import type { LlmsFile } from '../artifacts/llms.js';
import type { Outcome } from '../artifacts/resource.js';
import { toFileFacts } from '../probe/file-facts.js';
import type { SiteResponse } from '../client/visit.js';
import type { CollectContext, ReadOptions } from '../probe/collector.js';

/** Path of the file at the root; an announced file has the same name in another folder. */
export const LLMS_PATH = '/llms.txt';

/** An H1 line, which identifies the file if a site answers every path with text. */
const H1_LINE = /^\uFEFF?#[ \t]+\S/m;
const OPTIONS: ReadOptions = { validates: (response) => H1_LINE.test(toFileFacts(response).text) };

/** Reads the llms.txt at the root, or an announced one. Every caller sends the same request, so each file is fetched once. */
export function readLlms(context: CollectContext, announced?: URL): Promise<Evidence<Outcome<SiteResponse>>> {
  return announced ? context.read(announced, 'txt', OPTIONS) : context.readFile(LLMS_PATH, 'txt', OPTIONS);
}

interface ChosenLlms extends Pick<LlmsFile, 'place'> {
  readonly read: Evidence<Outcome<SiteResponse>>;
}

/**
 * Chooses the llms.txt that the checks judge: the file at the root, which covers the home page; else the first readable announced one (v2
 * has no fixed path, so an error at the root is then no failure); else the response at the root.
 */
export async function chooseLlms(context: CollectContext): Promise<ChosenLlms> {
  const root = await readLlms(context);
  const atRoot = { read: root, place: null };
  if (valueOf(root)?.kind === 'present') return atRoot;
  const announced = valueOf(await context.evidence('announcedLlms')) ?? [];
  const chosen = announced.find(({ state }) => state === 'text');
  return chosen ? { read: await readLlms(context, chosen.url), place: chosen.place } : atRoot;
}
