import { namePageInSentence } from '../artifacts/pages.js';
import { count, listSafeText, safeText, sentences, type SafeText } from '../artifacts/safe-text.js';
import type { StructuredData } from '../artifacts/structured-data.js';
import { defineCheck } from '../verdict/check.js';
import { fail, pass, undetermined } from '../verdict/verdict.js';
import { IDENTITY } from './fixes.js';
import { describeBlock, describeBlocks, describeOtherForms, isSchemaNode } from './json-ld-places.js';

/**
 * Does the served HTML contain valid JSON-LD? Sources: JSON-LD 1.1 §14 (JSON-LD in HTML) and RFC 8259. A broken block is FORMAT even if
 * no node is left: the markup exists, and NO_JSONLD would send the owner looking for the wrong problem.
 */
export const cSd01 = defineCheck({
  id: 'C-SD-01',
  revision: 3,
  pillar: 'C',
  title: 'JSON-LD markup',
  shortName: 'JSON-LD',
  answer: 'The HTML that the server sends contains valid JSON-LD.',
  explanation:
    'JSON-LD with schema.org terms tells an agent what a page is about: who runs the site, what is sold, when an event takes place. Most agents run no JavaScript, so it must be in the HTML that the server sends, and one misplaced comma makes a whole block unreadable. We read the home page and up to three other pages of the site, or up to five that its owner chose.',
  judgedBy: ['json-ld'],
  unlocks: ['structuredData', 'sameAs'],
  failures: {
    FORMAT: {
      severity: 'BROKEN',
      headline: 'JSON-LD on the pages is not valid JSON',
      fix: `Correct the JSON at the block and line named in the finding. If a template writes the block, generate it with a JSON library instead.

- A comma is missing between two entries, or follows the last one.
- A string contains a line break or a double quote: write \\n and \\".
- The block contains a comment, or a placeholder that the template did not fill in.

A valid block:

${IDENTITY}`,
    },
    NO_JSONLD: {
      severity: 'MISSING',
      headline: 'The pages have no JSON-LD',
      fix: `Put a block of JSON-LD with schema.org terms into the <head> of the HTML that your server sends. Replace the words in capitals with your own data.

${IDENTITY}

Do not add it with a tag manager: most agents run no scripts. The SEO plugins of shop and content systems write such blocks from their settings.`,
    },
  },
  needs: ['structuredData'],
  judge: ({ structuredData }) => {
    const broken = describeBroken(structuredData);
    if (broken.length > 0) {
      const blocks = count(broken.length, 'JSON-LD block is', 'JSON-LD blocks are');
      return fail('FORMAT', safeText`${blocks} not valid JSON: ${listSafeText(broken)}.`);
    }
    const nodes = structuredData.pages.map((page) => page.nodes.filter(isSchemaNode).length);
    const pagesWith = nodes.filter((nodeCount) => nodeCount > 0).length;
    const unread = describeUnread(structuredData);
    if (pagesWith > 0) {
      const nodeCount = nodes.reduce((total, onPage) => total + onPage, 0);
      const found = count(nodeCount, 'schema.org item', 'schema.org items');
      return pass(
        safeText`${found} in JSON-LD, on ${pagesWith} of ${count(nodes.length, 'page', 'pages')} read.`,
        unread,
      );
    }
    if (unread) return undetermined(unread);
    const otherForms = describeOtherForms(structuredData.pages);
    if (otherForms)
      return undetermined(safeText`The blocks that we could read contain no schema.org item.`, otherForms);
    return fail('NO_JSONLD', describeAbsence(structuredData), noteOtherMarkup(structuredData));
  },
});

function describeBroken({ pages }: StructuredData): SafeText[] {
  // In a malformed page, another parser may read the block differently.
  const certain = pages.filter(({ page }) => !page.facts.isMalformed);
  return certain.flatMap((page) =>
    page.blocks.flatMap((block) =>
      block.kind === 'broken'
        ? [
            safeText`${describeBlock(page, block.position, block.offset)}, line ${block.line} of the block (byte ${block.byte})`,
          ]
        : [],
    ),
  );
}

function describeUnread({ pages }: StructuredData): SafeText | null {
  const malformed = pages.filter(({ page }) => page.facts.isMalformed).map(({ page }) => namePageInSentence(page));
  const large = pages.flatMap((page) => [
    ...describeBlocks(page, 'unread'),
    ...(page.page.facts.isCut ? [safeText`the rest of ${namePageInSentence(page.page)}`] : []),
  ]);
  if (malformed.length + large.length === 0) return null;
  return sentences(
    malformed.length > 0
      ? safeText`Sent as XHTML, but not well-formed XML, so parsers disagree about the content: ${listSafeText(malformed)}.`
      : null,
    large.length > 0
      ? safeText`Too large to be read (limits per page: 2 MiB, 250,000 tags and texts, 1,000 blocks, 1 MiB of JSON-LD and 10,000 items; per block: 100 levels, 50,000 values and 5,000 keys per object): ${listSafeText(large)}.`
      : null,
  );
}

function describeAbsence({ pages }: StructuredData): SafeText {
  const blocks = pages.reduce((total, page) => total + page.blocks.length, 0);
  if (blocks === 0) {
    return pages.length === 1
      ? safeText`The HTML of the home page has no JSON-LD.`
      : safeText`None of the ${pages.length} pages that we read has JSON-LD in its HTML.`;
  }
  const seen = count(blocks, 'JSON-LD block', 'JSON-LD blocks');
  return safeText`${seen} on ${count(pages.length, 'page', 'pages')}, but none uses schema.org terms. Check that "@context" is "https://schema.org".`;
}

function noteOtherMarkup({ pages }: StructuredData): SafeText | null {
  const marked = pages.filter(({ page }) => page.facts.hasOtherMarkup);
  if (marked.length === 0) return null;
  const named = listSafeText(marked.map(({ page }) => namePageInSentence(page)));
  return safeText`There is Microdata or RDFa on ${named}, but this check only looks for JSON-LD.`;
}
