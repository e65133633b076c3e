import { type Evidence, isMoved } from '../artifacts/evidence.js';
import { describeUnreachable } from '../artifacts/resource.js';
import type { ManifestState, ReadManifest } from '../artifacts/manifests.js';
import type { Outcome } from '../artifacts/resource.js';
import { yieldToEventLoop } from '../../net/event-loop.js';
import type { SafeText } from '../artifacts/safe-text.js';
import { pointTo, pointToAnswer, safeText, term } from '../artifacts/safe-text.js';
import type { ManifestReading } from '../parsers/manifests/shape.js';
import { isHtmlType, isJsonType } from '../parsers/media-type.js';
import type { CollectContext } from '../probe/collector.js';
import { isLinked, isNamed, readCatalogued } from './named.js';
import { toFileFacts } from '../probe/file-facts.js';
import type { SiteResponse } from '../client/visit.js';

/** How many targets of its documents one check probes at most. */
export const TARGETS_MAX = 3;

/** Of something in a public document that only the site's own network can reach. */
export const PRIVATE_DETAIL = term('is in a private network, where nobody outside can reach it');

/** A document before its targets are probed. */
export type ManifestDocumentReading<T> =
  Exclude<ManifestState, ReadManifest> | (Omit<ReadManifest, 'targets'> & { readonly value: T | null });

export type ManifestParser<T> = (text: string, response: SiteResponse) => Promise<ManifestReading<T>>;

const ACCEPT = 'application/json, application/linkset+json, */*;q=0.8';
/** What SEP-2127 tells clients to send for a card: a strict server answers anything else with 406. */
export const CARD_ACCEPT = 'application/mcp-server-card+json, application/json';

/** The name of a well-known document in findings, which tells of what its address answers. */
export async function locate(context: CollectContext, path: SafeText): Promise<SafeText> {
  return pointToAnswer(path, new URL(path.text, await context.fileOrigin()));
}

export interface WellKnownOptions {
  readonly accept?: string;
  /** Whether something that agents read names this address; by default by {@link isNamed} and by catalogs. */
  readonly isAnnounced?: (url: URL) => Promise<boolean>;
}

/**
 * Reads a well-known document: one request, compared with the control of its shape. An answer without success counts only if something
 * that agents read names the place: otherwise nobody is sent there.
 */
export async function readWellKnown<T>(
  context: CollectContext,
  path: SafeText,
  parse: ManifestParser<T>,
  { accept = ACCEPT, isAnnounced = (url) => isNamedOrCatalogued(context, url) }: WellKnownOptions = {},
): Promise<ManifestDocumentReading<T>> {
  const reply = await context.readFile(path.text, 'well-known', { accept, validates: validatorOf(parse) });
  const reading = await readReply(reply, parse);
  const isUnsuccessful = reading.kind === 'unreachable' || ('failed' in reply && reply.failed.isUnsuccessful === true);
  if (!isUnsuccessful || !('detail' in reading)) return reading;
  if (await isAnnounced(new URL(path.text, await context.fileOrigin()))) return reading;
  const seen = reading.kind === 'unreachable' ? reading.detail : safeText`could not be read (${reading.detail})`;
  return { kind: 'unannounced', detail: safeText`${seen}, and nothing that was looked at names it` };
}

export async function isNamedOrCatalogued(context: CollectContext, url: URL): Promise<boolean> {
  return (await isNamed(context, url)) || isLinked(await readCatalogued(context), [url]);
}

/** Reads a document at an address that the site names. */
export async function readNamed<T>(
  context: CollectContext,
  url: URL,
  parse: ManifestParser<T>,
  accept = ACCEPT,
): Promise<ManifestDocumentReading<T>> {
  return readReply(await context.read(url, 'json', { accept, validates: validatorOf(parse) }), parse);
}

function validatorOf<T>(parse: ManifestParser<T>): (response: SiteResponse) => Promise<boolean> {
  return async (response) => {
    const { text } = await toFileFacts(response);
    await yieldToEventLoop();
    const reading = await parse(text, response);
    return reading.kind === 'read' && reading.problems.length === 0;
  };
}

async function readReply<T>(
  reply: Evidence<Outcome<SiteResponse>>,
  parse: ManifestParser<T>,
): Promise<ManifestDocumentReading<T>> {
  if (isMoved(reply)) return { kind: 'moved' };
  if ('failed' in reply) return { kind: 'unknown', detail: reply.failed.detail };
  const outcome = reply.ok;
  switch (outcome.kind) {
    case 'present':
      return readPresent(outcome.value, parse);
    case 'absent':
      return { kind: 'absent' };
    case 'blocked':
      return { kind: 'unreachable', detail: safeText`is refused with status ${outcome.status}` };
    case 'unreachable':
      return { kind: 'unreachable', detail: describeUnreachable(outcome.cause) };
    case 'timeout':
      return { kind: 'unreachable', detail: safeText`gives no answer in time on any try` };
  }
}

async function readPresent<T>(response: SiteResponse, parse: ManifestParser<T>): Promise<ManifestDocumentReading<T>> {
  const { text, isHtml, isOverLimit, mediaType } = await toFileFacts(response);
  if (isHtml) return broken(pointTo(safeText`is an HTML page, not JSON`, { file: response.url, at: { line: 1 } }));
  if (isOverLimit) return { kind: 'unknown', detail: safeText`it is larger than the 1 MiB that this scanner reads` };
  await yieldToEventLoop();
  const reading = await parse(text, response);
  switch (reading.kind) {
    case 'broken':
      return broken(reading.problem);
    case 'unrelated':
      return reading;
    case 'overLimit':
      return { kind: 'unknown', detail: safeText`it is nested too deeply, or has too many parts, for this scanner` };
    case 'read':
      return { kind: 'read', problems: reading.problems, notes: typeNotes(mediaType), value: reading.value };
  }
}

/** A document of which nothing but its fault is known. */
export function broken(problem: SafeText): ManifestDocumentReading<never> {
  return { kind: 'read', problems: [problem], notes: [], value: null };
}

function typeNotes(mediaType: string | null): SafeText[] {
  if (isJsonType(mediaType)) return [];
  return [
    isHtmlType(mediaType)
      ? safeText`Its Content-Type says HTML; a JSON type such as application/json would be right.`
      : safeText`Its Content-Type does not say JSON; a JSON type such as application/json would be right.`,
  ];
}
