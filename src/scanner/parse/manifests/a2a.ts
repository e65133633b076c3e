import type { SafeText } from '../../evidence/safe-text.js';
import { term, safeText } from '../../evidence/safe-text.js';
import type { JsonObject, JsonValue } from '../json.js';
import { stepTo } from '../json-pointer.js';
import type { ManifestReading, Part, Source } from './shape.js';
import {
  Problems,
  httpUrlOf,
  isArray,
  isObject,
  isTemplated,
  isTextArray,
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
}

const CARD_TEXTS = [term('name'), term('description'), term('version')];
const SKILL_TEXTS = [term('id'), term('name'), term('description')];
const INTERFACE_TEXTS = [term('protocolBinding'), term('protocolVersion')];
const MODES = [term('defaultInputModes'), term('defaultOutputModes')];
const [CAPABILITIES, SKILLS, TAGS] = [term('capabilities'), term('skills'), term('tags')];
const [INTERFACES, URL_FIELD, PROTOCOL_VERSION] = [term('supportedInterfaces'), term('url'), term('protocolVersion')];
const BINDING_CHARS_MAX = 40;
const TENANT_CHARS_MAX = 256;
/**
 * Fields that, together with a `capabilities` object, only an A2A card has: other kinds of manifest are also called agent.json.
 */
const MARKS = ['supportedInterfaces', 'skills', 'defaultInputModes', 'defaultOutputModes'];

/**
 * Reads an agent card: A2A 1.0 (a2a.proto: AgentCard, AgentInterface, AgentSkill) if it has `supportedInterfaces`, else A2A 0.3
 * (§5.5). A card for readers of both is valid if it is complete for one.
 * @param isOlderPath at `agent.json`, the path of A2A 0.2, `protocolVersion` may be missing, and the file may be another kind of
 * manifest
 */
export async function readAgentCard(text: string, url: URL, isOlderPath: boolean): Promise<ManifestReading<AgentCard>> {
  const document = await readObject(text, url);
  return 'object' in document
    ? readAgentCardObject(document.object, { file: url, pointer: '' }, isOlderPath)
    : document;
}

/** As {@link readAgentCard}, of JSON that was read. */
export function readAgentCardObject(
  card: JsonObject,
  source: Source,
  isOlderPath: boolean,
): ManifestReading<AgentCard> {
  if (isOlderPath && !MARKS.some((mark) => card.has(mark)) && !isObject(card.get('capabilities'))) {
    return { kind: 'unrelated', detail: safeText`is not an A2A agent card` };
  }
  const common = readCommonFields(card, source);
  const older = readOlderInterface(card, source, isOlderPath);
  const current = card.has('supportedInterfaces') ? readInterfaces(card, source) : null;
  const chosen = current !== null && (current.problems.length === 0 || older.problems.length > 0) ? current : older;
  return {
    kind: 'read',
    problems: [...common, ...chosen.problems],
    value: { interfaces: chosen.interfaces, isGrpcOnly: chosen.isGrpcOnly },
  };
}

function readCommonFields(card: JsonObject, source: Source): readonly SafeText[] {
  const problems = new Problems(source);
  problems.requireTexts(card, CARD_TEXTS);
  problems.require(isObject(card.get('capabilities')), card, CAPABILITIES);
  for (const mode of MODES) problems.require(isTextArray(card.get(mode.text)), card, mode);
  const skills = card.get('skills');
  problems.require(isArray(skills), card, SKILLS);
  for (const [index, skill] of isArray(skills) ? skills.entries() : []) {
    if (problems.isFull) break;
    const where = partOf(problems.root, safeText`skill ${index + 1}`, SKILLS.text, index);
    if (!isObject(skill)) {
      problems.add(safeText`${where.name} is not an object`, where);
      continue;
    }
    problems.requireTexts(skill, SKILL_TEXTS, where);
    problems.require(isTextArray(skill.get('tags')), skill, TAGS, where);
  }
  return problems.list;
}

interface Interfaces {
  readonly problems: readonly SafeText[];
  readonly interfaces: readonly AgentInterface[];
  readonly isGrpcOnly: boolean;
}

/** A2A 1.0: at least one of `supportedInterfaces`, the preferred one first. */
function readInterfaces(card: JsonObject, source: Source): Interfaces {
  const problems = new Problems(source);
  const interfaces: AgentInterface[] = [];
  const bindings = new Set<ReturnType<typeof bindingOf>>();
  const listed = card.get('supportedInterfaces');
  problems.require(isArray(listed) && listed.length > 0, card, INTERFACES);
  for (const [index, item] of isArray(listed) ? listed.entries() : []) {
    if (problems.isFull) break;
    const part = partOf(problems.root, safeText`interface ${index + 1}`, INTERFACES.text, index);
    if (!isObject(item)) {
      problems.add(safeText`${part.name} is not an object`, part);
      continue;
    }
    problems.requireTexts(item, INTERFACE_TEXTS, part);
    const binding = bindingOf(item.get('protocolBinding'));
    bindings.add(binding);
    const url = readAddress(item, binding, problems, part);
    if (url === null || binding === 'grpc') continue;
    const name = problems.locate(part.name, part.pointer + stepTo('url'));
    const isOlderRest = isOlderVersion(item.get('protocolVersion'));
    interfaces.push({ name, url, binding, isOlderRest, tenant: tenantOf(item.get('tenant')) });
  }
  return { problems: problems.list, interfaces, isGrpcOnly: bindings.size === 1 && bindings.has('grpc') };
}

/** A2A 0.3: `url` with the preferred transport, and `protocolVersion`. */
function readOlderInterface(card: JsonObject, source: Source, isOlderPath: boolean): Interfaces {
  const problems = new Problems(source);
  // Its default is JSON-RPC (A2A 0.3 §5.5).
  const binding = bindingOf(card.get('preferredTransport') ?? 'JSONRPC');
  const url = readAddress(card, binding, problems, problems.root);
  if (!isOlderPath) problems.requireTexts(card, [PROTOCOL_VERSION]);
  const name = problems.locate(safeText`its interface`, source.pointer + stepTo('url'));
  const interfaces =
    url === null || binding === 'grpc' ? [] : [{ name, url, binding, isOlderRest: true, tenant: null }];
  return { problems: problems.list, interfaces, isGrpcOnly: binding === 'grpc' };
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

/** Which of the protocol's bindings a name means, however it is written: "JSONRPC", "JSON-RPC 2.0", "http+json". */
function bindingOf(value: JsonValue | undefined): AgentInterface['binding'] | 'grpc' {
  const letters =
    typeof value === 'string'
      ? value
          .slice(0, BINDING_CHARS_MAX)
          .toUpperCase()
          .replaceAll(/[^A-Z]/g, '')
      : '';
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
