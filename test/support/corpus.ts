import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { answersOf, type CorpusCase, sentAnswer } from '../corpus/case.js';
import { FIXTURE_ORIGIN, type FixtureSite } from './fixture-site.js';
import { PROJECT } from './project.js';

const CASES = join(PROJECT, 'test', 'corpus', 'cases');

/** Every case of the corpus, with the topic that its file is named after. */
export function readCorpus(): { readonly topic: string; readonly cases: readonly CorpusCase[] }[] {
  return readdirSync(CASES).map((file) => ({
    topic: file.replace(/\.json$/, ''),
    cases: JSON.parse(readFileSync(join(CASES, file), 'utf8')) as CorpusCase[],
  }));
}

/** A case as a site that can be scanned without a network. */
export function toFixtureSite(corpusCase: CorpusCase): FixtureSite {
  const routes = Object.entries(answersOf(corpusCase)).map(
    ([key, answer]) =>
      [
        key,
        ({ method, headers }) => {
          const { type, ...sent } = sentAnswer(answer, { method, accept: headers.accept }, FIXTURE_ORIGIN);
          return { ...sent, ...(type !== undefined && { type }) };
        },
      ] as const satisfies [string, FixtureSite['routes'][string]],
  );
  return { routes: Object.fromEntries(routes) };
}
