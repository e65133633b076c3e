import { found, valueOf } from '../../evidence/evidence.js';
import type { A2aDiscovery, ManifestDocument, TargetState } from '../../evidence/manifests.js';
import type { SafeText } from '../../evidence/safe-text.js';
import { term } from '../../evidence/safe-text.js';
import type { AgentCard, AgentInterface } from '../../parse/manifests/a2a.js';
import { readAgentCard } from '../../parse/manifests/a2a.js';
import { findAdvertised } from './advertised.js';
import type { CollectContext, Collector } from './collector.js';
import type { OwnWay } from './endpoint-probe.js';
import { probeEndpoint } from './endpoint-probe.js';
import { probeRest } from './rest-probe.js';
import type { ManifestDocumentReading } from './manifest-document.js';
import { readNamed, readWellKnown } from './manifest-document.js';

const CARD = term('/.well-known/agent-card.json');
/** Where A2A 0.2 placed the card (0.3 moved it). */
const OLDER_CARD = term('/.well-known/agent.json');
const ADVERTISED_CARD = term('The agent card that the home page names');
const OLDER_PATH_NOTE = term('Newer readers look for it at /.well-known/agent-card.json.');

const GRPC_NOTE = term('It offers gRPC only, which this scanner does not ask.');

/** An empty object is not a message of the protocol, so no agent starts to work on it. */
const OWN_WAY: OwnWay = { accept: 'application/json, text/event-stream', requests: [{ body: '{}' }] };

const RELATIONS = new Set(['a2a', 'agent-card', 'a2a-agent-card', 'a2a-agent']);
const TYPES = new Set(['application/a2a-agent-card+json', 'application/agent-card+json']);

/** Reads the card at both of its paths at once, then probes the first interface of the one that counts. */
export const collectA2a: Collector<'a2a'> = async (context) => {
  const [current, older] = await Promise.all([
    readWellKnown(context, CARD, (text) => readAgentCard(text, false)),
    readWellKnown(context, OLDER_CARD, (text) => readAgentCard(text, true)),
  ]);
  if (current.kind !== 'absent') return found(await only(context, CARD, current, false));
  if (older.kind === 'read') {
    const noted = { ...older, notes: [...older.notes, OLDER_PATH_NOTE] };
    return found(await only(context, OLDER_CARD, noted, false));
  }
  const advertised = await findAdvertisedCard(context);
  if (advertised) return found(await only(context, ADVERTISED_CARD, advertised, true));
  return found(await only(context, OLDER_CARD, older, false));
};

async function only(
  context: CollectContext,
  path: SafeText,
  reading: ManifestDocumentReading<AgentCard>,
  isAdvertised: boolean,
): Promise<A2aDiscovery> {
  return { documents: [await follow(context, path, reading)], isAdvertised };
}

async function follow(
  context: CollectContext,
  path: SafeText,
  reading: ManifestDocumentReading<AgentCard>,
): Promise<ManifestDocument> {
  if (reading.kind !== 'read') return { path, state: reading };
  const { kind, problems, notes, value } = reading;
  const first = problems.length === 0 ? value?.interfaces[0] : undefined;
  const targets = first ? [await probeInterface(context, first)] : [];
  const isNotAsked = problems.length === 0 && value?.isGrpcOnly === true;
  return { path, state: { kind, problems, notes: isNotAsked ? [...notes, GRPC_NOTE] : notes, targets } };
}

/** An empty object may start a task at an agent that speaks plain HTTP and JSON, so such an agent gets no POST. */
function probeInterface(context: CollectContext, first: AgentInterface): Promise<TargetState> {
  return first.binding === 'jsonRpc' ? probeEndpoint(context, first, OWN_WAY) : probeRest(context, first);
}

/** A card may be anywhere if the site says where (A2A 1.0 §8.2). */
async function findAdvertisedCard(context: CollectContext): Promise<ManifestDocumentReading<AgentCard> | null> {
  const home = valueOf(await context.evidence('home'));
  const [url] = home
    ? findAdvertised(
        home,
        (rel) => RELATIONS.has(rel),
        (type) => TYPES.has(type),
      )
    : [];
  return url ? readNamed(context, url, (text) => readAgentCard(text, false)) : null;
}
