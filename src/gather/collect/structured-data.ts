import { found } from '../../domain/evidence.js';
import type { SamplePage } from '../../domain/evidence/pages.js';
import type { StructuredPage } from '../../domain/evidence/structured-data.js';
import { readJsonLd } from '../../parse/structured-data/json-ld.js';
import type { Collector } from './collector.js';

/** Reads the JSON-LD of the sample: a pure derivation, nothing is fetched. */
export const collectStructuredData: Collector<'structuredData'> = async (context) => {
  const sample = await context.evidence('sample');
  if ('failed' in sample) return sample;
  const [home, ...others] = sample.ok.pages;
  return found({ pages: [readPage(home), ...others.map(readPage)] });
};

function readPage(page: SamplePage): StructuredPage {
  return { page, ...readJsonLd(page.facts.jsonLd, page.url) };
}
