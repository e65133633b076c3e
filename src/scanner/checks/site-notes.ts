import { describeNoPage } from '../artifacts/no-page.js';
import { tellPage } from '../artifacts/page-name.js';
import { MOVE_NOTE_ID } from '../verdict/move.js';
import { listSafeText, safeText, sentences } from '../artifacts/safe-text.js';
import { defineNote } from '../verdict/note-rule.js';

/** Notes about the whole report, which no check owns. */
export const SITE_NOTES = [
  defineNote({
    id: MOVE_NOTE_ID,
    standard: 'http',
    uses: ['home'],
    observe: ({ home }) =>
      home?.move
        ? safeText`This site has moved to another domain: scan that. Only what this host still serves itself is judged here.`
        : null,
  }),
  defineNote({
    id: 'no-home-page',
    standard: 'http',
    uses: ['home'],
    observe: ({ home }) =>
      home?.page !== null || home.move !== null
        ? null
        : sentences(describeNoPage(home), safeText`The score is based on the site's files alone.`),
  }),
  defineNote({
    id: 'served-text',
    standard: 'agent-friendly-docs',
    uses: ['sample'],
    observe: ({ sample }) => {
      const shells = sample?.pages.filter(({ facts }) => facts.served.isShell) ?? [];
      if (shells.length === 0) return null;
      const named = listSafeText(shells.map(({ position, origin }) => tellPage({ position, origin })));
      return safeText`Scripts make what is on these pages, and agents that run none see next to nothing: ${named}. Render them on the server, or answer in Markdown.`;
    },
  }),
];
