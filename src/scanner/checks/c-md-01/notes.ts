import { isMarkdown } from '../../artifacts/markdown.js';
import { listSafeText, safeText, term } from '../../artifacts/safe-text.js';
import { defineNote } from '../../verdict/note-rule.js';
import { CONTENT_SIGNALS } from '../../parsers/header-values.js';
import { FIELDS_MAX, signalsOf, siteFields } from '../preferences/site-fields.js';

/** About what Markdown answers say of their use. */
export const cMd01Notes = [
  defineNote({
    id: 'markdown-against-robots',
    standard: 'content-signals',
    uses: ['robots', 'markdown'],
    observe: ({ robots, markdown }) => {
      const replies = markdown?.pages.map((page) => page.markdown).filter(isMarkdown) ?? [];
      const sent = replies.flatMap(({ contentSignals }) => contentSignals).slice(0, FIELDS_MAX);
      const inReplies = sent.map((value) => ({ field: 'content-signal', value }) as const);
      const inRobots = siteFields(robots);
      const allowed = CONTENT_SIGNALS.filter((signal) => {
        const said = signalsOf(inRobots, signal);
        return said.has('no') && !said.has('yes') && signalsOf(inReplies, signal).has('yes');
      });
      if (allowed.length === 0) return null;
      return safeText`The Markdown answers carry a Content-Signal that says yes where robots.txt says no (${listSafeText(allowed.map((signal) => term(signal)))}): some services that convert pages add it, so set it there, too.`;
    },
  }),
];
