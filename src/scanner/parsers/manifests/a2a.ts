import { type SafeText, safeText } from '../../artifacts/safe-text.js';
import { parseHttpUrl, isTemplated } from '../addresses.js';
import { isObject, type JsonValue } from '../json.js';
import { type ManifestReading, type JsonNode, readManifest } from './document.js';
import { BOOLEAN, listOf, mapOf, OBJECT, objectOf, STRING, STRINGS, TEXT, validatorOf } from './schema.js';

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
  /** True if all interfaces are gRPC, which plain HTTP cannot probe; false without interfaces. */
  readonly isGrpcOnly: boolean;
  /** Advice on the card, as sentences. */
  readonly notes: readonly SafeText[];
}

/** Fields of an AgentCard that A2A 1.0 (a2a.proto) and 0.3 (a2a.json) share. We do not check the content of security schemes. */
const REQUIRED = 'name description version defaultInputModes defaultOutputModes capabilities skills';
const CARD = {
  name: TEXT,
  description: STRING,
  version: TEXT,
  defaultInputModes: STRINGS,
  defaultOutputModes: STRINGS,
  iconUrl: STRING,
  documentationUrl: STRING,
  provider: objectOf('organization url', { organization: STRING, url: STRING }),
  capabilities: objectOf('', {
    streaming: BOOLEAN,
    pushNotifications: BOOLEAN,
    extensions: listOf(
      'extension',
      objectOf('', { uri: STRING, description: STRING, required: BOOLEAN, params: OBJECT }),
    ),
  }),
  skills: listOf(
    'skill',
    objectOf('id name description tags', {
      id: TEXT,
      name: TEXT,
      description: STRING,
      tags: STRINGS,
      examples: STRINGS,
      inputModes: STRINGS,
      outputModes: STRINGS,
    }),
  ),
  securitySchemes: mapOf('security scheme', OBJECT),
  signatures: listOf('signature', OBJECT),
};

/** AgentCard of A2A 1.0, except the URLs of interfaces, whose form depends on the binding. */
const findCurrentProblems = validatorOf(
  objectOf(`${REQUIRED} supportedInterfaces`, {
    ...CARD,
    supportedInterfaces: {
      ...listOf(
        'interface',
        objectOf('protocolBinding protocolVersion', { protocolBinding: TEXT, protocolVersion: TEXT, tenant: STRING }),
      ),
      minItems: 1,
    },
  }),
);

/** AgentCard of A2A 0.3, except `url`. `protocolVersion` has a default. */
const findOlderProblems = validatorOf(
  objectOf(REQUIRED, { ...CARD, protocolVersion: STRING, preferredTransport: STRING }),
);

const TENANT_CHARS_MAX = 256;
/** Fields that, together with a `capabilities` object, only an A2A card has: other kinds of manifest are also called agent.json. */
const A2A_FIELDS = ['supportedInterfaces', 'skills', 'defaultInputModes', 'defaultOutputModes'];
/** Fields that locate the agent in a card before A2A 1.0. */
const OLDER_LOCATION_FIELDS = ['url', 'preferredTransport', 'additionalInterfaces', 'protocolVersion'];
const URL_FIELD = safeText`url`;
const NO_CURRENT_NOTE = safeText`Its "supportedInterfaces" cannot be used, so clients of A2A 1.0 find no interface.`;

/**
 * Reads the agent card at this URL: by A2A 1.0 (a2a.proto) if it has `supportedInterfaces`, else by A2A 0.3 (a2a.json). A card in
 * both forms is valid if one of them is.
 * @param isOlderPath true at `agent.json`, the path of A2A 0.2, which other kinds of manifest also use
 */
export function readAgentCard(text: string, url: URL, isOlderPath: boolean): ManifestReading<AgentCard> {
  return readManifest(text, url, (card) => {
    const isAgent =
      A2A_FIELDS.some((field) => card.at(field).value !== undefined) || isObject(card.at('capabilities').value);
    return isOlderPath && !isAgent
      ? { kind: 'unrelated', detail: safeText`is not an A2A agent card` }
      : readAgentCardNode(card);
  });
}

/** Reads a card in the form of its version. If it has both forms, returns the one with fewer problems. */
export function readAgentCardNode(card: JsonNode): Extract<ManifestReading<AgentCard>, { kind: 'read' }> {
  const isCurrent = isPresent(card, 'supportedInterfaces');
  const isOlder =
    isPresent(card, 'url') || (!isCurrent && OLDER_LOCATION_FIELDS.some((field) => isPresent(card, field)));
  const older = isOlder ? readOlderForm(card) : null;
  if (older && !isCurrent) return older;
  const current = readCurrentForm(card);
  if (older === null || older.problems.length >= current.problems.length) return current;
  return { ...older, value: { ...older.value, notes: [NO_CURRENT_NOTE] } };
}

/** Treats null as absent, as ProtoJSON does: pydantic writes it for unset fields. */
function isPresent(card: JsonNode, field: string): boolean {
  return (card.at(field).value ?? null) !== null;
}

/** An interface as the card describes it. */
interface DescribedInterface extends Pick<AgentInterface, 'name' | 'isOlderRest' | 'tenant'> {
  readonly item: JsonNode;
  readonly binding: AgentInterface['binding'] | 'grpc';
}

/** Reads `supportedInterfaces` (A2A 1.0), the preferred one first. */
function readCurrentForm(card: JsonNode) {
  const items = card.items('supportedInterfaces', safeText`interface`).filter(({ value }) => isObject(value));
  const described = items.map((item) => ({
    item,
    binding: bindingOf(item.at('protocolBinding').value),
    name: item.name ?? safeText`interface`,
    isOlderRest: /^v?0\./.test(item.at('protocolVersion').text?.trim() ?? ''),
    tenant: tenantOf(item.at('tenant').value),
  }));
  return readInterfaces(findCurrentProblems(card), described);
}

/** Reads `url` with the preferred transport, by default JSON-RPC (A2A 0.3 §5.5). */
function readOlderForm(card: JsonNode) {
  const binding = bindingOf(card.at('preferredTransport').value ?? 'JSONRPC');
  const described = { item: card, binding, name: safeText`its interface`, isOlderRest: true, tenant: null };
  return readInterfaces(findOlderProblems(card), [described]);
}

function readInterfaces(problems: readonly SafeText[], described: readonly DescribedInterface[]) {
  const value: AgentCard = {
    interfaces: described.flatMap(({ item, binding, name, ...rest }) => {
      const address = item.at('url');
      const url = address.webUrl();
      return url === null || binding === 'grpc' ? [] : [{ name: address.addPointer(name), url, binding, ...rest }];
    }),
    isGrpcOnly: described.length > 0 && described.every(({ binding }) => binding === 'grpc'),
    notes: [],
  };
  const faults = described.flatMap((one) => (hasUsableUrl(one) ? [] : one.item.memberFault(URL_FIELD)));
  return { kind: 'read', problems: [...problems, ...faults], value } as const;
}

/** True if the URL fits the binding: gRPC uses `host:port`, and an unknown binding may have its own scheme. */
function hasUsableUrl({ item, binding }: DescribedInterface): boolean {
  const { text, value } = item.at('url');
  if (binding === 'grpc') return text !== null;
  const hasOwnScheme = binding === 'other' && /^[a-z][a-z0-9+.-]{1,30}:\/\/./i.test(text ?? '');
  return parseHttpUrl(value) !== null || isTemplated(value) || hasOwnScheme;
}

/** Returns the binding for a name in any spelling: "JSONRPC", "JSON-RPC 2.0", "http+json". */
function bindingOf(value: JsonValue | undefined): DescribedInterface['binding'] {
  const letters = (typeof value === 'string' ? value : '').toUpperCase().replaceAll(/[^A-Z]/g, '');
  if (letters.startsWith('GRPC')) return 'grpc';
  if (letters.startsWith('HTTPJSON') || letters === 'REST') return 'rest';
  return letters === '' || letters.startsWith('JSONRPC') ? 'jsonRpc' : 'other';
}

function tenantOf(tenant: JsonValue | undefined): string | null {
  return typeof tenant === 'string' && tenant !== '' && tenant.length <= TENANT_CHARS_MAX ? tenant : null;
}
