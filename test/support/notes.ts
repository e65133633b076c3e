import { answerWith, disallowed, refused } from './answers.js';
import type { SampledPages } from '../../src/scanner/artifacts/pages.js';
import type { Gain } from '../../src/scanner/report/gain.js';
import type { Note } from '../../src/scanner/verdict/note.js';

/** One note about the whole report, and one alongside a finding. */
export const NOTES: readonly [Note, Note] = [
  {
    id: 'served-text',
    checkId: null,
    text: 'Scripts make what is on these pages: the home page.',
    standard: 'Agent-Friendly Documentation Spec (0.6.0)',
    url: 'https://agentdocsspec.com/',
  },
  {
    id: 'llms-template',
    checkId: 'C-LLMS-02',
    text: 'A text of the template is left in llms.txt: write your own.',
    standard: 'llms.txt (v2)',
    url: 'https://llmstxt.org/',
  },
];

/** That a site has moved, as the scanner notes it. */
export const MOVE_NOTE: Note = {
  id: 'moved',
  checkId: null,
  text: 'This site has moved to another domain: scan that domain instead. This host is not checked.',
  standard: 'HTTP (RFC 9110)',
  url: 'https://www.rfc-editor.org/rfc/rfc9110',
};

/** What fixing a failure adds to the score. */
export const GAINS: readonly Gain[] = [{ checkId: 'C-LLMS-01', points: 19, isAtLeast: false }];

/** Which assistants can read the site: line 7 of robots.txt closes out both agents of ChatGPT, and the server refuses PerplexityBot. */
export const ANSWER = answerWith(
  {
    ChatGPT: { state: 'blocked', tokens: [disallowed(7), disallowed(7)] },
    Perplexity: { state: 'blocked', tokens: [refused(403)] },
  },
  'partly',
);

/** Which pages it has read, of those that were chosen. */
export const PAGES: SampledPages = {
  chosen: [
    { path: '/pricing', isRead: true },
    { path: '/gone', isRead: false },
  ],
};

/** What a caller names a run: hostile text, which no answer of a hook or of the API repeats. */
export const LABEL = { label: 'v2.3.1 "</script><img src=x onerror=xss()>', commit: '4f2a1c9' };
