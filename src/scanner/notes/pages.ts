import { describeNoPage } from '../evidence/no-page.js';
import { MOVE_NOTE_ID } from '../findings/move.js';
import { listLines, listSafeText, safeText, sentences } from '../evidence/safe-text.js';
import { defineNote } from './note.js';

/** Notes about pages and what leads to them. */
export const PAGE_NOTES = [
  defineNote({
    id: MOVE_NOTE_ID,
    checkId: null,
    standard: 'http',
    uses: ['home'],
    observe: ({ home }) =>
      home?.move
        ? safeText`This site has moved to another domain: scan that. Only what this host still serves itself is judged here.`
        : null,
  }),
  defineNote({
    id: 'no-home-page',
    checkId: null,
    standard: 'http',
    uses: ['home'],
    observe: ({ home }) =>
      home?.page !== null || home.move !== null
        ? null
        : sentences(describeNoPage(home), safeText`The score rests on the site's files alone.`),
  }),
  defineNote({
    id: 'served-text',
    checkId: null,
    standard: 'agent-friendly-docs',
    uses: ['sample'],
    observe: ({ sample }) => {
      const shells = sample?.pages.filter(({ facts }) => facts.served.isShell) ?? [];
      if (shells.length === 0) return null;
      const named = listSafeText(shells.map(({ position, origin }) => safeText`sample ${position} (${origin})`));
      return safeText`Scripts make what is on these pages, and agents that run none see next to nothing: ${named}. Render them on the server, or answer in Markdown.`;
    },
  }),
  defineNote({
    id: 'llms-template',
    checkId: 'C-LLMS-02',
    standard: 'llms-txt',
    uses: ['llmsDocument'],
    observe: ({ llmsDocument }) =>
      llmsDocument?.hasTemplateText === true
        ? safeText`llms.txt still has placeholders of the template at llmstxt.org, such as "Link title": put your own words in their place.`
        : null,
  }),
  defineNote({
    id: 'llms-private-links',
    checkId: 'C-LLMS-03',
    standard: 'llms-txt',
    uses: ['llmsDocument'],
    observe: ({ llmsDocument }) => {
      const lines = llmsDocument?.links.filter(({ isPrivate }) => isPrivate).map(({ line }) => line) ?? [];
      if (lines.length === 0) return null;
      return safeText`Links of llms.txt lead to localhost or a private address, where no reader gets anywhere (${listLines('llms.txt', lines)}): write such addresses as code.`;
    },
  }),
];
