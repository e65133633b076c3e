import { valueOf } from '../artifacts/evidence.js';
import type { AnnouncedLlms, LlmsFile } from '../artifacts/llms.js';
import { describeUnread, UNREAD } from '../artifacts/resource.js';
import { findTerm, listSafeText, safeText, term, vocabularyOf, type SafeText } from '../artifacts/safe-text.js';
import { defineCheck } from '../verdict/check.js';
import { fail, pass } from '../verdict/verdict.js';
import { fenced, LLMS_TXT, unblockFile, serveFile } from './fixes.js';

/** Types that pass. llms.txt v2 requires none, but clients decide by the type whether to show or download a file. */
const TEXT_TYPES: ReadonlySet<string> = new Set(['text/plain', 'text/markdown', 'text/x-markdown']);

/** Wrong types that servers often send for Markdown, and that findings may name. */
const OTHER_TYPES = vocabularyOf(
  'text/html',
  'application/markdown',
  'application/json',
  'application/octet-stream',
  'application/xml',
  'binary/octet-stream',
);

const SERVING = serveFile('/llms.txt', 'text/plain; charset=utf-8');

/**
 * Is there an llms.txt at the root, or one that a page announces, and is it text? C-LLMS-02 judges its format. Source: llmstxt.org v2,
 * which requires no media type; ours are those of RFC 2046 §4.1.3 and RFC 7763.
 */
export const cLlms01 = defineCheck({
  id: 'C-LLMS-01',
  revision: 3,
  pillar: 'A',
  title: 'llms.txt file',
  shortName: 'llms.txt',
  answer: 'The site publishes llms.txt as a text file.',
  explanation:
    'llms.txt is a short Markdown file at the root of a site. It tells AI agents what the site is about and which pages are worth reading, so that they do not have to guess from menus. We request /llms.txt. If there is none, we request the files that your pages link to with rel="describedby". We expect status 200 and a text file, not an HTML page.',
  judgedBy: ['llms-txt'],
  unlocks: ['llmsDocument', 'llmsLinks'],
  failures: {
    MISSING: {
      severity: 'MISSING',
      headline: 'There is no llms.txt',
      fix: `Publish a Markdown file at /llms.txt: the name of your site as its heading, a sentence about the site, and links to the pages worth reading.

Replace the words in capitals, and add a line for each page:

${LLMS_TXT}

If you cannot put the file at the root, put it in the folder of the pages that it covers. Either way, link to it in the <head> of your pages. Agents that start at a page find it that way, and it is the only way to find a file in a folder.

${fenced(`<link rel="describedby" href="/llms.txt">`)}

${SERVING}`,
    },
    WRONG_MIME: {
      severity: 'BROKEN',
      headline: 'llms.txt is not sent as a text file',
      fix: `Serve /llms.txt as a static file with the Content-Type "text/plain; charset=utf-8", without going through your application.

"text/markdown; charset=utf-8" is also correct. Check what your server sends:

${fenced(`curl -sI https://www.example.com/llms.txt`)}

${SERVING}`,
    },
    BLOCKED: {
      severity: 'SHUT_OUT',
      headline: 'The server blocks llms.txt',
      fix: `Let everyone fetch /llms.txt: exempt it from the login, firewall or bot rule that blocks it.

Check what your server sends:

${fenced(`curl -sI https://www.example.com/llms.txt`)}

${unblockFile('/llms.txt')}`,
    },
    UNREACHABLE: {
      severity: 'BROKEN',
      headline: 'llms.txt fails with a server error or a broken connection',
      fix: `Serve /llms.txt as a static file, so that errors in your application cannot affect it. If a program has to generate it, look for the error in its log.

${SERVING}`,
    },
    TIMEOUT: {
      severity: 'BROKEN',
      headline: 'llms.txt takes too long to load',
      fix: `Serve /llms.txt as a static file, without your application or a database. Check that no firewall delays the request.

${SERVING}`,
    },
  },
  needs: ['llms'],
  uses: ['announcedLlms'],
  judge({ llms, announcedLlms }) {
    const announced = valueOf(announcedLlms) ?? [];
    switch (llms.kind) {
      case 'present':
        return judgeFile(llms.value, announced);
      case 'absent':
        return fail('MISSING', describeAbsence(llms.status), describeDead(announced));
      default:
        return fail(UNREAD[llms.kind], safeText`/llms.txt ${describeUnread(llms)}.`);
    }
  },
});

function judgeFile(file: LlmsFile, announced: readonly AnnouncedLlms[]) {
  if (file.isHtml) return fail('WRONG_MIME', safeText`/llms.txt returns an HTML page instead of a text file.`);
  const { mediaType, announcedAt } = file;
  const name = announcedAt === null ? term('/llms.txt') : safeText`The llms.txt linked by ${announcedAt}`;
  if (mediaType !== null && !TEXT_TYPES.has(mediaType)) {
    const type = findTerm(mediaType, OTHER_TYPES) ?? term('another type');
    return fail('WRONG_MIME', safeText`${name} is sent as ${type}, not as text/plain or text/markdown.`);
  }
  return pass(
    announcedAt === null
      ? null
      : safeText`There is no readable file at /llms.txt, so we used the one linked by ${announcedAt}. It covers the pages in and below its folder.`,
    mediaType === null ? safeText`${name} has no Content-Type. Send text/plain or text/markdown.` : null,
    describeDead(announced),
  );
}

/** Describes announcements that lead nowhere: the likely cause of a missing file. */
function describeDead(announced: readonly AnnouncedLlms[]): SafeText | null {
  const dead = announced.filter(({ state }) => state === 'dead');
  if (dead.length === 0) return null;
  return safeText`These links do not lead to an llms.txt: ${listSafeText(dead.map(({ announcedAt }) => announcedAt))}.`;
}

function describeAbsence(status: number) {
  if (status === 404 || status === 410) return safeText`/llms.txt is missing (status ${status}).`;
  return safeText`There is no /llms.txt. It returns status ${status}, like an address that does not exist.`;
}
