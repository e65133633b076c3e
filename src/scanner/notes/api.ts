import { count, joinSafeText, safeText } from '../evidence/safe-text.js';
import { defineNote } from './note.js';

/** How many faults a note names. */
const FAULTS_MAX = 3;

/** Notes about descriptions of APIs and about agent skills. */
export const API_NOTES = [
  defineNote({
    id: 'openapi-private-server',
    checkId: 'C-WK-03',
    standard: 'openapi',
    uses: ['apiMetadata'],
    observe: ({ apiMetadata }) => {
      const openApi = apiMetadata?.openApi;
      return openApi?.hasPrivateServer === true
        ? safeText`The first server of ${openApi.path} is in a private network, so nobody else can call it: put the public address first.`
        : null;
    },
  }),
  defineNote({
    id: 'agent-skills-index',
    checkId: 'C-FWD-01',
    standard: 'agent-skills',
    uses: ['agentSkills'],
    observe: ({ agentSkills }) => {
      const problems = agentSkills?.problems ?? [];
      if (problems.length > 0) {
        const rest = problems.length - FAULTS_MAX;
        const more = rest > 0 ? safeText`, and has ${count(rest, 'more fault', 'more faults')}` : safeText``;
        return safeText`The index of agent skills ${joinSafeText(problems.slice(0, FAULTS_MAX), '; ')}${more}: clients may leave it or parts of it.`;
      }
      if (agentSkills?.place === 'legacy')
        return safeText`The index of agent skills is at /.well-known/skills/, where version 0.2.0 no longer looks: publish it at /.well-known/agent-skills/index.json.`;
      return agentSkills?.place === 'current' && agentSkills.schema === 'foreign'
        ? safeText`The index of agent skills names no version of the standard in "$schema", so clients leave it: name the schema of version 0.2.0.`
        : null;
    },
  }),
  defineNote({
    id: 'agent-skills-file',
    checkId: 'C-FWD-01',
    standard: 'agent-skills',
    uses: ['agentSkills'],
    observe: ({ agentSkills }) => {
      switch (agentSkills?.firstFile) {
        case 'wrong':
          return safeText`The file of the first agent skill that the index describes has another SHA-256 digest than the index says, so clients refuse it: renew the digest.`;
        case 'gone':
          return safeText`The file of the first agent skill that the index describes is not at its address: publish it, or take it out of the index.`;
        default:
          return null;
      }
    },
  }),
];
