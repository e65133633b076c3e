import { found } from '../artifacts/evidence.js';
import type { SamplePage } from '../artifacts/pages.js';
import type { StructuredPage } from '../artifacts/structured-data.js';
import { JSON_LD_LIMITS } from '../limits.js';
import { readJsonLd } from '../parsers/structured-data/json-ld.js';
import { readShownWords } from '../parsers/structured-data/words.js';
import type { Collector } from '../probe/collector.js';

/** Parses the JSON-LD of the sampled pages; fetches nothing. */
export const collectStructuredData: Collector<'structuredData'> = async (context) => {
  const sample = await context.evidence('sample');
  if ('failed' in sample) return sample;
  const [home, ...others] = sample.ok.pages;
  const first = readPage(home, JSON_LD_LIMITS.nodesMax);
  const pages: StructuredPage[] = [];
  let { nodesLeft } = first;
  for (const other of others) {
    const read = readPage(other, nodesLeft);
    pages.push(read.structured);
    ({ nodesLeft } = read);
  }
  return found({ pages: [first.structured, ...pages] });
};

function readPage(page: SamplePage, nodesMax: number): { structured: StructuredPage; nodesLeft: number } {
  const { blocks, nodes, nodesLeft } = readJsonLd(page.facts.jsonLd, page.url, nodesMax);
  const shownWords = readShownWords(page.facts, nodes);
  return { structured: { page, blocks, nodes, shownWords }, nodesLeft };
}
