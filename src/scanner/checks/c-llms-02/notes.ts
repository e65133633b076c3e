import { safeText } from '../../artifacts/safe-text.js';
import { defineNote } from '../../verdict/note-rule.js';

/** About what is left of a template. */
export const cLlms02Notes = [
  defineNote({
    id: 'llms-template',
    standard: 'llms-txt',
    uses: ['llmsDocument'],
    observe: ({ llmsDocument }) =>
      llmsDocument?.hasTemplateText === true
        ? safeText`llms.txt still has placeholders of the template at llmstxt.org, such as "Link title": put your own words in their place.`
        : null,
  }),
];
