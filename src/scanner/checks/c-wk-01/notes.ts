import { isFailingCatalog, isSoundCatalog } from '../../artifacts/catalog-state.js';
import type { AgentCatalogs, CatalogEntry } from '../../artifacts/manifests.js';
import { POSITIONS_MAX, joinSafeText, listLines, listSafeText, safeText } from '../../artifacts/safe-text.js';
import { defineNote } from '../../verdict/note-rule.js';

/** How many faults a note names. */
const FAULTS_MAX = 3;
/** Entries for MCP servers are judged by the check. */
const MCP_TYPE = /^application\/(?:vnd\.)?(?:mcp|modelcontextprotocol)\b/;

/** About catalogs of resources for agents. */
export const cWk01Notes = [
  defineNote({
    id: 'catalog-entry',
    standard: 'ard',
    uses: ['catalogs'],
    observe: ({ catalogs }) => {
      const faulty = soundOf(catalogs).find(({ entries }) => entries.some(isFaulty));
      if (!faulty) return null;
      const faults = faulty.entries.filter(isFaulty).flatMap(({ problems }) => problems);
      return safeText`${faulty.path} has faults in entries that are not for MCP servers: ${joinSafeText(faults.slice(0, FAULTS_MAX), '; ')}. Correct them, or clients may leave these entries.`;
    },
  }),
  defineNote({
    id: 'catalog-place',
    standard: 'ard',
    uses: ['catalogs'],
    observe: ({ catalogs }) => {
      const documents = catalogs?.documents ?? [];
      if (documents.some(({ place, state }) => place === 'ard' && state.kind !== 'absent')) return null;
      const older = documents.find((document) => isSoundCatalog(document));
      return older
        ? safeText`${older.path} is at a place of older catalogs, which readers of today need not look at: publish it at /.well-known/ard.json as well.`
        : null;
    },
  }),
  defineNote({
    id: 'catalog-queries',
    standard: 'ard',
    uses: ['catalogs'],
    observe: ({ catalogs }) => {
      const unclear = soundOf(catalogs).find(({ entries }) => entries.some(lacksQueries));
      if (!unclear) return null;
      const entries = unclear.entries.filter(lacksQueries);
      const more = entries.length > POSITIONS_MAX ? safeText` and others` : safeText``;
      return safeText`In ${unclear.path}, ${listSafeText(entries.slice(0, POSITIONS_MAX).map(({ name }) => name))}${more} should have 2 to 5 representativeQueries, by which agents find what they need.`;
    },
  }),
  defineNote({
    id: 'catalog-dead',
    standard: 'ard',
    uses: ['catalogs', 'mcp'],
    observe: ({ catalogs, mcp }) => {
      const documents = catalogs?.documents ?? [];
      const dead = documents.find((document) => document.isAnnounced && isFailingCatalog(document));
      const isOtherGood =
        documents.some(isSoundCatalog) ||
        mcp?.documents.some(({ state }) => state.kind === 'read' && state.problems.length === 0);
      return dead && isOtherGood === true
        ? safeText`${dead.path} is announced, but cannot be used: correct the announcement, or what is there.`
        : null;
    },
  }),
  defineNote({
    id: 'agentmap-broken',
    standard: 'ard',
    uses: ['catalogs'],
    observe: ({ catalogs }) =>
      catalogs && catalogs.brokenAgentmaps.length > 0
        ? safeText`In robots.txt, the Agentmap in ${listLines('robots.txt', catalogs.brokenAgentmaps)} is not a web address: write the whole address of a catalog.`
        : null,
  }),
];

function soundOf(catalogs: AgentCatalogs | null) {
  return (catalogs?.documents ?? []).flatMap(({ path, state }) =>
    state.kind === 'read' && state.problems.length === 0 ? [{ path, entries: state.entries }] : [],
  );
}

function isFaulty({ mediaType, problems }: CatalogEntry): boolean {
  return problems.length > 0 && !MCP_TYPE.test(mediaType);
}

/** An entry with faults has more urgent ones. */
function lacksQueries({ queries, problems }: CatalogEntry): boolean {
  return queries !== 'good' && problems.length === 0;
}
