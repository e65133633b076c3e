import { count, safeText } from '../../artifacts/safe-text.js';
import { defineNote } from '../../verdict/note-rule.js';

/** About agent cards that this scan does not judge. */
export const cWk02Notes = [
  defineNote({
    id: 'agent-card-elsewhere',
    standard: 'a2a',
    uses: ['a2a'],
    observe: ({ a2a }) =>
      a2a && a2a.foreignCount > 0
        ? safeText`Catalogs name ${count(a2a.foreignCount, 'agent card', 'agent cards')} on other sites, which this scan did not judge: see that what they offer still works.`
        : null,
  }),
];
