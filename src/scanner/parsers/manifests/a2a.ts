import { type SafeText, POSITIONS_MAX, listSafeText, term, safeText } from '../../artifacts/safe-text.js';
import { type JsonObject, type JsonValue, stepTo } from '../json.js';
import { CURRENT_CARD, OLDER_CARD } from './a2a-schema.js';
import {
  type ManifestReading,
  type Part,
  type Source,
  Problems,
  httpUrlOf,
  isArray,
  isObject,
  isTemplated,
  partOf,
  readObject,
  textOf,
} from './shape.js';

/** An interface of an agent that plain HTTP can probe. */
export interface AgentInterface {
  readonly name: SafeText;
  readonly url: URL;
  /** `rest` is HTTP+JSON; `other` is a binding that the protocol does not define. */
  readonly binding: 'jsonRpc' | 'rest' | 'other';
  /** HTTP+JSON of A2A 0.3, which has other paths than 1.0. */
  readonly isOlderRest: boolean;
  /** The path segment between the URL and the operation (A2A 1.0); null without one. */
  readonly tenant: string | null;
}

/** The interfaces of an agent card, in the agent's order of preference. */
export interface AgentCard {
  readonly interfaces: readonly AgentInterface[];
  /** It has interfaces, all of them gRPC, which plain HTTP cannot probe. */
  readonly isGrpcOnly: boolean;
  /** Advice on the card, as sentences. */
  readonly notes: readonly SafeText[];
}

const URL_FIELD = term('url');
/** Fields that A2A requires to be non-empty; clients accept empty ones (A2A 1.0 §5.7 and §8.4.1 contradict each other). */
const CARD_CONTENTS = [term('description'), term('defaultInputModes'), term('defaultOutputModes'), term('skills')];
const SKILL_CONTENTS = [term('description'), term('tags')];
const TENANT_CHARS_MAX = 256;
/**
 * Fields that, together with a `capabilities` object, only an A2A card has: other kinds of manifest are also called agent.json.
 */
const MARKS = ['supportedInterfaces', 'skills', 'defaultInputModes', 'defaultOutputModes'];
/** Fields by which a card says where the agent is, before A2A 1.0. */
const OLDER_MARKS = ['url', 'preferredTransport', 'additionalInterfaces', 'protocolVersion'];

const NO_VERSION_NOTE = term('It names no "protocolVersion", so readers assume one.');
const NO_CURRENT_NOTE = term('Its "supportedInterfaces" cannot be used, so clients of A2A 1.0 find no interface.');

/**
 * Reads an agent card at this URL: as of A2A 1.0 (a2a.proto) if it has `supportedInterfaces`, else as of A2A 0.3 (a2a.json). A card for
 * readers of both is valid if it is so for one.
 * @param isOlderPath at `agent.json`, the path of A2A 0.2, which had no `protocolVersion`, the file may be another kind of manifest
 */
export function readAgentCard(text: string, url: URL, isOlderPath: boolean): ManifestReading<AgentCard> {
  const document = readObject(text, url);
  return 'object' in document
    ? readAgentCardObject(document.object, { file: url, pointer: '' }, isOlderPath)
    : document;
}

/** Like {@link readAgentCard}, for parsed JSON. */
export function readAgentCardObject(
  card: JsonObject,
  source: Source,
  isOlderPath: boolean,
): ManifestReading<AgentCard> {
  if (isOlderPath && !MARKS.some((mark) => card.has(mark)) && !isObject(card.get('capabilities'))) {
    return { kind: 'unrelated', detail: safeText`is not an A2A agent card` };
  }
  const { problems, notes, ...value } = readForm(card, source, isOlderPath);
  return { kind: 'read', problems, value: { ...value, notes: [...notes, ...noteEmpties(card)] } };
}

/** The card by the version that it is of; by the one that it fits better if it is of both. */
function readForm(card: JsonObject, source: Source, isOlderPath: boolean): Form {
  const isCurrent = isThere(card, 'supportedInterfaces');
  const isOlder = isThere(card, 'url') || (!isCurrent && OLDER_MARKS.some((mark) => isThere(card, mark)));
  if (!isOlder) return readCurrentForm(card, source);
  const older = readOlderForm(card, source, isOlderPath);
  if (!isCurrent) return older;
  const current = readCurrentForm(card, source);
  return older.problems.length < current.problems.length
    ? { ...older, notes: [...older.notes, NO_CURRENT_NOTE] }
    : current;
}

/** ProtoJSON reads null as absent, and pydantic writes it for what is not set. */
function isThere(card: JsonObject, field: string): boolean {
  return (card.get(field) ?? null) !== null;
}

function noteEmpties(card: JsonObject): SafeText[] {
  const skills = card.get('skills');
  const empties = CARD_CONTENTS.filter((field) => isEmpty(card.get(field.text))).map((field) => safeText`"${field}"`);
  for (const [index, skill] of isArray(skills) ? skills.entries() : []) {
    if (empties.length > POSITIONS_MAX || !isObject(skill)) continue;
    for (const field of SKILL_CONTENTS) {
      if (isEmpty(skill.get(field.text))) empties.push(safeText`"${field}" of skill ${index + 1}`);
    }
  }
  return empties.length > 0 ? [safeText`Nothing is in ${listSafeText(empties)}, where A2A asks for content.`] : [];
}

function isEmpty(value: JsonValue | undefined): boolean {
  return isArray(value) ? value.length === 0 : typeof value === 'string' && value.trim() === '';
}

interface Form extends AgentCard {
  readonly problems: readonly SafeText[];
}

/** A2A 1.0: at least one of `supportedInterfaces`, the preferred one first. */
function readCurrentForm(card: JsonObject, source: Source): Form {
  const problems = new Problems(source);
  CURRENT_CARD.check(card, problems);
  const interfaces: AgentInterface[] = [];
  const bindings = new Set<ReturnType<typeof bindingOf>>();
  const listed = card.get('supportedInterfaces');
  for (const [index, item] of isArray(listed) ? listed.entries() : []) {
    if (problems.isFull || !isObject(item)) continue;
    const part = partOf(problems.root, safeText`interface ${index + 1}`, 'supportedInterfaces', index);
    const binding = bindingOf(item.get('protocolBinding'));
    bindings.add(binding);
    const url = readAddress(item, binding, problems, part);
    if (url === null || binding === 'grpc') continue;
    const name = problems.locate(part.name, part.pointer + stepTo('url'));
    const isOlderRest = isOlderVersion(item.get('protocolVersion'));
    interfaces.push({ name, url, binding, isOlderRest, tenant: tenantOf(item.get('tenant')) });
  }
  const isGrpcOnly = bindings.size === 1 && bindings.has('grpc');
  return { problems: problems.list, interfaces, isGrpcOnly, notes: [] };
}

/** A2A 0.3: `url` with the preferred transport. */
function readOlderForm(card: JsonObject, source: Source, isOlderPath: boolean): Form {
  const problems = new Problems(source);
  OLDER_CARD.check(card, problems);
  // Its default is JSON-RPC (A2A 0.3 §5.5).
  const binding = bindingOf(card.get('preferredTransport') ?? 'JSONRPC');
  const url = readAddress(card, binding, problems, problems.root);
  const name = problems.locate(safeText`its interface`, source.pointer + stepTo('url'));
  const interfaces =
    url === null || binding === 'grpc' ? [] : [{ name, url, binding, isOlderRest: true, tenant: null }];
  const hasVersion = isOlderPath || (card.get('protocolVersion') ?? '') !== '';
  return {
    problems: problems.list,
    interfaces,
    isGrpcOnly: binding === 'grpc',
    notes: hasVersion ? [] : [NO_VERSION_NOTE],
  };
}

/** The address for plain HTTP; gRPC's is `host:port` and needs a special client, and another binding may have a scheme of its own. */
function readAddress(
  item: JsonObject,
  binding: ReturnType<typeof bindingOf>,
  problems: Problems,
  part: Part,
): URL | null {
  const address = item.get('url');
  const isTemplate = isTemplated(address);
  const url = httpUrlOf(address);
  const isUsable =
    binding === 'grpc' ? textOf(address) !== null : url !== null || isTemplate || isOwnScheme(address, binding);
  problems.require(isUsable, item, URL_FIELD, part);
  return binding === 'grpc' || isTemplate ? null : url;
}

function isOwnScheme(address: JsonValue | undefined, binding: ReturnType<typeof bindingOf>): boolean {
  return binding === 'other' && typeof address === 'string' && /^[a-z][a-z0-9+.-]{1,30}:\/\/./i.test(address);
}

/** Finds the binding that a name means, in any spelling: "JSONRPC", "JSON-RPC 2.0", "http+json". */
function bindingOf(value: JsonValue | undefined): AgentInterface['binding'] | 'grpc' {
  const letters = (typeof value === 'string' ? value : '').toUpperCase().replaceAll(/[^A-Z]/g, '');
  if (letters.startsWith('GRPC')) return 'grpc';
  if (letters.startsWith('HTTPJSON') || letters === 'REST') return 'rest';
  return letters === '' || letters.startsWith('JSONRPC') ? 'jsonRpc' : 'other';
}

function isOlderVersion(version: JsonValue | undefined): boolean {
  return typeof version === 'string' && /^v?0\./.test(version.trim());
}

function tenantOf(tenant: JsonValue | undefined): string | null {
  return typeof tenant === 'string' && tenant !== '' && tenant.length <= TENANT_CHARS_MAX ? tenant : null;
}
