import { found } from '../artifacts/evidence.js';
import type { SamplePage } from '../artifacts/pages.js';
import type { StructuredPage } from '../artifacts/structured-data.js';
import { JSON_LD_LIMITS, readJsonLd } from '../parsers/structured-data/json-ld.js';
import { readShownWords } from '../parsers/structured-data/shown-words.js';
import type { Collector } from '../probe/collector.js';

/** Reads the JSON-LD of the sample: a pure derivation, fetches nothing. */
export const collectStructuredData: Collector<'structuredData'> = async (context) => {
  const sample = await context.evidence('sample');
  if ('failed' in sample) return sample;
  const [home, ...others] = sample.ok.pages;
  // One after the other: a hostile page takes much memory while it is read.
  const first = await readPage(home, JSON_LD_LIMITS.nodesMax);
  const pages: StructuredPage[] = [];
  let { nodesLeft } = first;
  for (const other of others) {
    const read = await readPage(other, nodesLeft);
    pages.push(read.structured);
    ({ nodesLeft } = read);
  }
  return found({ pages: [first.structured, ...pages] });
};

async function readPage(
  page: SamplePage,
  nodesMax: number,
): Promise<{ structured: StructuredPage; nodesLeft: number }> {
  const { blocks, nodes, nodesLeft } = await readJsonLd(page.facts.jsonLd, page.url, nodesMax);
  const shownWords = await readShownWords(page.facts, nodes);
  return { structured: { page, blocks, nodes, shownWords }, nodesLeft };
}
