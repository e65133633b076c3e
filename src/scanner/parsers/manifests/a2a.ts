import { type SafeText, safeText } from '../../artifacts/safe-text.js';
import { isObject, type JsonValue } from '../json.js';
import { findCurrentProblems, findOlderProblems } from './a2a-schema.js';
import { httpUrlOf, isTemplated, type ManifestReading, Part, readObject } from './shape.js';

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

interface Form extends AgentCard {
  readonly problems: readonly SafeText[];
}

type Binding = AgentInterface['binding'] | 'grpc';

const TENANT_CHARS_MAX = 256;
/** Fields that, together with a `capabilities` object, only an A2A card has: other kinds of manifest are also called agent.json. */
const MARKS = ['supportedInterfaces', 'skills', 'defaultInputModes', 'defaultOutputModes'];
/** Fields by which a card says where the agent is, before A2A 1.0. */
const OLDER_MARKS = ['url', 'preferredTransport', 'additionalInterfaces', 'protocolVersion'];
const URL_FIELD = safeText`url`;
const NO_CURRENT_NOTE = safeText`Its "supportedInterfaces" cannot be used, so clients of A2A 1.0 find no interface.`;

/**
 * Reads an agent card at this URL: as of A2A 1.0 (a2a.proto) if it has `supportedInterfaces`, else as of A2A 0.3 (a2a.json). A card for
 * readers of both is valid if it is so for one.
 * @param isOlderPath at `agent.json`, the path of A2A 0.2, the file may be another kind of manifest
 */
export function readAgentCard(text: string, url: URL, isOlderPath: boolean): ManifestReading<AgentCard> {
  const card = readObject(text, url);
  if (!(card instanceof Part)) return card;
  const isOther = MARKS.every((mark) => card.at(mark).value === undefined) && !isObject(card.at('capabilities').value);
  if (isOlderPath && isOther) return { kind: 'unrelated', detail: safeText`is not an A2A agent card` };
  return readAgentCardPart(card);
}

/** Like {@link readAgentCard}, for an object of a document. */
export function readAgentCardPart(card: Part): ManifestReading<AgentCard> {
  const { problems, ...value } = readForm(card);
  return { kind: 'read', problems, value };
}

/** Reads the card by the version that it is of; by the one that it fits better if it is of both. */
function readForm(card: Part): Form {
  const isCurrent = isPresent(card, 'supportedInterfaces');
  const isOlder = isPresent(card, 'url') || (!isCurrent && OLDER_MARKS.some((mark) => isPresent(card, mark)));
  if (!isOlder) return readCurrentForm(card);
  const older = readOlderForm(card);
  if (!isCurrent) return older;
  const current = readCurrentForm(card);
  return older.problems.length < current.problems.length ? { ...older, notes: [NO_CURRENT_NOTE] } : current;
}

/** ProtoJSON reads null as absent, and pydantic writes it for what is not set. */
function isPresent(card: Part, field: string): boolean {
  return (card.at(field).value ?? null) !== null;
}

/** A2A 1.0: at least one of `supportedInterfaces`, the preferred one first. */
function readCurrentForm(card: Part): Form {
  const items = card.items('supportedInterfaces', safeText`interface`).filter(({ value }) => isObject(value));
  const read = items.map((item) =>
    readInterface(item, bindingOf(item.at('protocolBinding').value), {
      name: item.name ?? safeText`interface`,
      isOlderRest: /^v?0\./.test(item.at('protocolVersion').text?.trim() ?? ''),
      tenant: tenantOf(item.at('tenant').value),
    }),
  );
  return toForm(findCurrentProblems(card), read);
}

/** A2A 0.3: `url` with the preferred transport, whose default is JSON-RPC (A2A 0.3 §5.5). */
function readOlderForm(card: Part): Form {
  const binding = bindingOf(card.at('preferredTransport').value ?? 'JSONRPC');
  const name = safeText`its interface`;
  return toForm(findOlderProblems(card), [readInterface(card, binding, { name, isOlderRest: true, tenant: null })]);
}

interface ReadInterface {
  readonly binding: Binding;
  readonly problem: SafeText | null;
  /** Null if plain HTTP cannot probe it. */
  readonly agentInterface: AgentInterface | null;
}

/** gRPC's address is `host:port` and needs a special client; another binding may have a scheme of its own. */
function readInterface(
  item: Part,
  binding: Binding,
  { name, ...options }: Pick<AgentInterface, 'name' | 'isOlderRest' | 'tenant'>,
): ReadInterface {
  const address = item.at('url');
  const isUsable =
    binding === 'grpc'
      ? address.text !== null
      : httpUrlOf(address.value) !== null || isTemplated(address.value) || isOwnScheme(address.value, binding);
  const url = address.webUrl();
  const isProbed = url !== null && binding !== 'grpc';
  return {
    binding,
    problem: isUsable ? null : item.faultOf(URL_FIELD),
    agentInterface: isProbed ? { name: address.pointFrom(name), url, binding, ...options } : null,
  };
}

function toForm(problems: readonly SafeText[], read: readonly ReadInterface[]): Form {
  return {
    problems: [...problems, ...read.flatMap(({ problem }) => problem ?? [])],
    interfaces: read.flatMap(({ agentInterface }) => agentInterface ?? []),
    isGrpcOnly: read.length > 0 && read.every(({ binding }) => binding === 'grpc'),
    notes: [],
  };
}

function isOwnScheme(address: JsonValue | undefined, binding: Binding): boolean {
  return binding === 'other' && typeof address === 'string' && /^[a-z][a-z0-9+.-]{1,30}:\/\/./i.test(address);
}

/** Finds the binding that a name means, in any spelling: "JSONRPC", "JSON-RPC 2.0", "http+json". */
function bindingOf(value: JsonValue | undefined): Binding {
  const letters = (typeof value === 'string' ? value : '').toUpperCase().replaceAll(/[^A-Z]/g, '');
  if (letters.startsWith('GRPC')) return 'grpc';
  if (letters.startsWith('HTTPJSON') || letters === 'REST') return 'rest';
  return letters === '' || letters.startsWith('JSONRPC') ? 'jsonRpc' : 'other';
}

function tenantOf(tenant: JsonValue | undefined): string | null {
  return typeof tenant === 'string' && tenant !== '' && tenant.length <= TENANT_CHARS_MAX ? tenant : null;
}
