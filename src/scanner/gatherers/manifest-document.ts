import { valueOf } from '../artifacts/evidence.js';
import { describeUnread, type Outcome } from '../artifacts/resource.js';
import type { ManifestDocument, ManifestState, ReadManifest, TargetState } from '../artifacts/manifests.js';
import { type SafeText, pointTo, pointToAnswer, safeText, term } from '../artifacts/safe-text.js';
import type { ManifestReading } from '../parsers/manifests/shape.js';
import { isHtmlType, isJsonType } from '../parsers/media-type.js';
import type { CollectContext } from '../probe/context.js';
import { findAdvertised, type ReadByAgents, isLinked, isNamed, matchDocument, readCatalogued } from './named.js';
import { toFileFacts } from '../probe/page.js';
import type { SiteResponse } from '../client/visit.js';

/** Most targets that one check probes. */
export const TARGETS_MAX = 3;

/** Detail for a private address in a public document. */
export const PRIVATE_DETAIL = term('is in a private network, where no client can reach it');

/** A document before its targets are probed. */
export type ManifestDocumentReading<T> =
  Exclude<ManifestState, ReadManifest> | (Omit<ReadManifest, 'targets'> & { readonly value: T | null });

/** A document with its name for findings, which points to its response. */
export interface NamedReading<T> {
  readonly path: SafeText;
  readonly reading: ManifestDocumentReading<T>;
}

export type ManifestParser<T> = (text: string, response: SiteResponse) => ManifestReading<T>;

const ACCEPT = 'application/json, application/linkset+json, */*;q=0.8';
/** The Accept header that SEP-2127 requires for a card: a strict server answers anything else with 406. */
export const CARD_ACCEPT = 'application/mcp-server-card+json, application/json';

export interface WellKnownOptions {
  readonly accept?: string;
  /** Links that lead agents here, besides those of pages and llms.txt. Default: those of catalogs. */
  readonly links?: () => Promise<ReadByAgents['links']>;
  /** URLs named by WWW-Authenticate challenges. A document must exist there. */
  readonly challenges?: () => Promise<ReadByAgents['links']>;
}

/** Reads a well-known document and compares it with the control of its shape. Ignores a failure if nothing links to the document. */
export async function readWellKnown<T>(
  context: CollectContext,
  path: SafeText,
  parse: ManifestParser<T>,
  { accept = ACCEPT, links = () => readCatalogued(context), challenges }: WellKnownOptions = {},
): Promise<NamedReading<T>> {
  const options = { headers: { accept }, validates: validatorOf(parse), priority: 'guesses' } as const;
  const reply = await context.readFile(path.text, 'well-known', options);
  const url = new URL(path.text, await context.fileOrigin());
  const isDocument = await matchDocument(context, url);
  const judgeReading = async (): Promise<ManifestDocumentReading<T>> => {
    const reading = readReply(reply, parse);
    if (reading.kind === 'absent') {
      if (await isLinkedFromHome(context, isDocument))
        return { kind: 'missing', detail: safeText`is not there, although a header or link of the home page names it` };
      if (challenges && isLinked(await challenges(), isDocument))
        return { kind: 'missing', detail: safeText`is not there, although a WWW-Authenticate header names it` };
      return reading;
    }
    const isUnsuccessful =
      reading.kind === 'unreachable' || (reply.kind === 'unknown' && reply.isUnsuccessful === true);
    if (!isUnsuccessful || !('detail' in reading)) return reading;
    if ((await isNamed(context, url)) || isLinked(await links(), isDocument)) return reading;
    const seen = reading.kind === 'unreachable' ? reading.detail : safeText`could not be read (${reading.detail})`;
    return { kind: 'unannounced', detail: safeText`${seen}, and nothing that was looked at names it` };
  };
  return { path: pointToAnswer(path, url), reading: await judgeReading() };
}

/** True if a Link header or `<link>` of the home page names the document. */
async function isLinkedFromHome(context: CollectContext, isDocument: (link: URL) => boolean): Promise<boolean> {
  const home = valueOf(await context.evidence('home'));
  return home !== null && findAdvertised(home, () => true).some(isDocument);
}

/** Reads a document that a header, a `<link>` or a challenge links to, so it must exist. @param name of the document, for findings */
export async function readLinkedDocument<T>(
  context: CollectContext,
  name: SafeText,
  url: URL,
  parse: ManifestParser<T>,
): Promise<NamedReading<T>> {
  // A private address in a public document is a mistake of the site.
  if (context.isPrivateLink(url)) return { path: pointToAnswer(name, url), reading: broken(PRIVATE_DETAIL) };
  const { path, reading } = await readNamed(context, name, url, parse);
  return { path, reading: reading.kind === 'absent' ? { kind: 'missing', detail: safeText`is not there` } : reading };
}

/** Reads a document at a URL that the site names. @param name of the document, for findings */
export async function readNamed<T>(
  context: CollectContext,
  name: SafeText,
  url: URL,
  parse: ManifestParser<T>,
  accept = ACCEPT,
): Promise<NamedReading<T>> {
  const options = { headers: { accept }, validates: validatorOf(parse) };
  return { path: pointToAnswer(name, url), reading: readReply(await context.read(url, 'json', options), parse) };
}

/** Returns the document with what became of its targets, and with further notes. */
export function withTargets(
  { path, reading }: NamedReading<unknown>,
  targets: readonly TargetState[] = [],
  notes: readonly SafeText[] = [],
): ManifestDocument {
  if (reading.kind !== 'read') return { path, state: reading };
  const { kind, problems } = reading;
  return { path, state: { kind, problems, notes: [...reading.notes, ...notes], targets } };
}

/** Returns the content of a document without problems, else null. */
export function contentOf<T>({ reading }: NamedReading<T>): T | null {
  return reading.kind === 'read' && reading.problems.length === 0 ? reading.value : null;
}

function validatorOf<T>(parse: ManifestParser<T>): (response: SiteResponse) => boolean {
  return (response) => {
    const { text } = toFileFacts(response);
    const reading = parse(text, response);
    return reading.kind === 'read' && reading.problems.length === 0;
  };
}

function readReply<T>(outcome: Outcome<SiteResponse>, parse: ManifestParser<T>): ManifestDocumentReading<T> {
  switch (outcome.kind) {
    case 'present':
      return readPresent(outcome.value, parse);
    case 'absent':
      return { kind: 'absent' };
    case 'unknown':
      return { kind: 'unknown', detail: outcome.detail };
    default:
      return { kind: 'unreachable', detail: describeUnread(outcome) };
  }
}

function readPresent<T>(response: SiteResponse, parse: ManifestParser<T>): ManifestDocumentReading<T> {
  const { text, isHtml, isOverLimit, mediaType } = toFileFacts(response);
  if (isHtml) return broken(pointTo(safeText`is an HTML page, not JSON`, { file: response.url, at: { line: 1 } }));
  if (isOverLimit) return { kind: 'unknown', detail: safeText`it is larger than the 1 MiB that this scanner reads` };
  const reading = parse(text, response);
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

/** Returns a document that has one problem and no content. */
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
