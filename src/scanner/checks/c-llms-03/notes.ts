import { listLines, safeText } from '../../artifacts/safe-text.js';
import { defineNote } from '../../verdict/note-rule.js';

/** About links that lead nowhere for anybody. */
export const cLlms03Notes = [
  defineNote({
    id: 'llms-private-links',
    standard: 'llms-txt',
    uses: ['llmsDocument'],
    observe: ({ llmsDocument }) => {
      const lines = llmsDocument?.links.filter(({ isPrivate }) => isPrivate).map(({ line }) => line) ?? [];
      if (lines.length === 0) return null;
      return safeText`Links of llms.txt lead to localhost or a private address, where no reader gets anywhere (${listLines('llms.txt', lines)}): write such addresses as code.`;
    },
  }),
];
