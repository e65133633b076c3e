import { cLlms01Failures } from './failures.js';
import { defineCheck } from '../../verdict/check.js';
import { describeUnreachable } from '../../artifacts/resource.js';
import { valueOf } from '../../artifacts/evidence.js';
import type { AnnouncedLlms, LlmsFile } from '../../artifacts/llms.js';
import { fail, pass } from '../../verdict/verdict.js';
import {
  count,
  listed,
  listSafeText,
  type SafeText,
  sentences,
  term,
  vocabularyOf,
  safeText,
} from '../../artifacts/safe-text.js';

/** What v2 leaves open, and servers send. The media type is a rule of ours: clients show or download a file by it. */
const TEXT_TYPES: ReadonlySet<string> = new Set(['text/plain', 'text/markdown', 'text/x-markdown']);

/** Types that servers mistakenly give Markdown files; the finding names them. */
const OTHER_TYPES = vocabularyOf(
  'text/html',
  'application/markdown',
  'application/json',
  'application/octet-stream',
  'application/xml',
  'binary/octet-stream',
);

/**
 * Is there an llms.txt at the root, or one that a page announces, and is it text? C-LLMS-02 judges the format of its body. Source:
 * llmstxt.org v2, which lays down no media type; ours are those of RFC 2046 §4.1.3 and RFC 7763.
 */
export const cLlms01 = defineCheck({
  id: 'C-LLMS-01',
  revision: 2,
  pillar: 'A',
  scored: true,
  title: 'llms.txt is published',
  shortName: 'llms.txt',
  answer: 'An llms.txt is there, and it is a text file.',
  explanation:
    'llms.txt is a short Markdown file at the root of a site. It tells AI agents what the site is about and which pages are worth reading, so they need not guess from menus. We ask for /llms.txt and, if there is none, for those that your pages announce with rel="describedby", and expect status 200 and a text file, not an HTML page.',
  judgedBy: ['llms-txt'],
  failures: cLlms01Failures,
  examples: () => import('./examples.js'),
  needs: ['llms'],
  uses: ['announcedLlms'],
  judge({ llms, announcedLlms }) {
    const announced = valueOf(announcedLlms) ?? [];
    switch (llms.kind) {
      case 'present':
        return judgeFile(llms.value, announced);
      case 'absent':
        return fail('MISSING', sentences(describeAbsence(llms.status), describeDead(announced)));
      case 'blocked':
        return fail('BLOCKED', safeText`/llms.txt is refused with status ${llms.status}.`);
      case 'unreachable':
        return fail('UNREACHABLE', safeText`/llms.txt ${describeUnreachable(llms.cause)}.`);
      case 'timeout':
        return fail('TIMEOUT', safeText`/llms.txt gives no answer in time on any try.`);
    }
  },
});

function judgeFile(file: LlmsFile, announced: readonly AnnouncedLlms[]) {
  if (file.isHtml) return fail('WRONG_MIME', safeText`/llms.txt answers with an HTML page instead of a text file.`);
  const { mediaType, place, redirectCount } = file;
  const name = place === null ? term('/llms.txt') : safeText`The llms.txt announced by ${place},`;
  if (mediaType !== null && !TEXT_TYPES.has(mediaType)) {
    const type = listed(mediaType, OTHER_TYPES) ?? term('another type');
    return fail('WRONG_MIME', safeText`${name} is sent as ${type}, not as text/plain or text/markdown.`);
  }
  const notes = [
    place === null
      ? null
      : safeText`There is none at /llms.txt that can be read; the one announced by ${place}, counts. It covers the pages in and below its folder.`,
    mediaType === null ? safeText`${name} has no Content-Type; text/plain or text/markdown would be right.` : null,
    mediaType === 'text/x-markdown'
      ? safeText`${name} is sent as text/x-markdown; the registered type is text/markdown.`
      : null,
    redirectCount > 0 ? safeText`${count(redirectCount, 'redirect leads', 'redirects lead')} to it.` : null,
    describeDead(announced),
  ].filter((note) => note !== null);
  return pass(notes.length > 0 ? sentences(...notes) : null);
}

/** An announcement that leads nowhere is a slip alongside a good file, and the likely cause where there is none. */
function describeDead(announced: readonly AnnouncedLlms[]): SafeText | null {
  const dead = announced.filter(({ state }) => state === 'absent' || state === 'html');
  if (dead.length === 0) return null;
  return safeText`No llms.txt is where a page announces one: ${listSafeText(dead.map(({ place }) => place))}.`;
}

function describeAbsence(status: number) {
  if (status === 404 || status === 410) return safeText`/llms.txt is missing (status ${status}).`;
  return safeText`/llms.txt answers with status ${status}, like an address that does not exist: there is no such file.`;
}
