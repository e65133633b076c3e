import { describeNoPage, namePageInSentence } from '../artifacts/pages.js';
import { adviceFor, describeFailedFetch } from '../artifacts/resource.js';
import { MOVE_NOTE_ID } from '../verdict/note.js';
import { defineNote } from '../verdict/note-rule.js';
import { listSafeText, safeText, sentences, type SafeText } from '../artifacts/safe-text.js';
import type { FailedFetch, FetchFailure } from '../../net/failure.js';

/** Notes about the whole site, not one check. */
export const SITE_NOTES = [
  defineNote({
    id: 'https-fails',
    standard: 'http',
    uses: ['home'],
    observe: ({ home }) => (home?.httpsFailure ? describeHttpsFailure(home.httpsFailure, home.url) : null),
  }),
  defineNote({
    id: MOVE_NOTE_ID,
    standard: 'http',
    uses: ['home'],
    observe: ({ home }) =>
      home?.move
        ? safeText`This site redirects to another domain: scan that domain instead. This host is not checked.`
        : null,
  }),
  defineNote({
    id: 'no-home-page',
    standard: 'http',
    uses: ['home'],
    observe: ({ home }) =>
      home?.page !== null || home.move !== null
        ? null
        : sentences(
            describeNoPage(home),
            home.isElsewhere ? null : safeText`The score only covers the files of the site.`,
          ),
  }),
  defineNote({
    id: 'soft-404',
    standard: 'http',
    uses: ['unknownAddress'],
    observe: ({ unknownAddress }) =>
      unknownAddress === 200
        ? safeText`Addresses that do not exist return status 200 instead of 404 (a "soft 404"), so agents cannot tell which links are dead. Return 404 for them.`
        : null,
  }),
  defineNote({
    id: 'served-text',
    standard: 'agent-friendly-docs',
    uses: ['sample'],
    observe: ({ sample }) => {
      const shells = sample?.pages.filter(({ facts }) => facts.served.isShell) ?? [];
      if (shells.length === 0) return null;
      const named = listSafeText(shells.map((page) => namePageInSentence(page)));
      return safeText`Scripts create the content of these pages, so agents that run no scripts see almost nothing: ${named}. Render the pages on the server, or offer them as Markdown.`;
    },
  }),
];

/** @param finalUrl of the home page, after redirects */
function describeHttpsFailure(failed: FailedFetch, finalUrl: URL): SafeText {
  const cause = describeFailedFetch(failed);
  const text =
    finalUrl.protocol === 'https:'
      ? safeText`HTTPS does not work on this host: ${cause}. Agents that use https get nothing. This report is about the https address that http redirects to.`
      : safeText`HTTPS does not work: ${cause}. Agents that use https get nothing. This report is about the http address.`;
  const isNotServed = NOT_SERVED.has(failed.failure) && failed.redirect === undefined;
  return sentences(text, isNotServed ? safeText`Turn on HTTPS on port 443, then run again.` : adviceFor(failed));
}

/** Failures that show that the host does not serve HTTPS, if http works. */
const NOT_SERVED: ReadonlySet<FetchFailure> = new Set(['connect_failed', 'connect_timeout', 'reset']);
