import { assertRefusals, type Described } from './refused-input.js';
import { relocate, type Relocatable } from './relocate.js';
import { type OpenApi, shareAnswers } from './share-answers.js';
import { shareExamples, type WithExamples } from './share-examples.js';
import { tidyDocument, type Json } from './tidy-document.js';

type Emitted = Relocatable & Described & WithExamples & OpenApi;

/**
 * The document as it is committed, of what TypeSpec's emitter writes: what TypeSpec cannot say is done here, and each step says why.
 * @throws SpecError
 */
export function finishDocument(compiled: string): string {
  const tidy = tidyDocument(JSON.parse(compiled) as Json) as unknown as Emitted;
  const document = relocate(tidy);
  assertRefusals(document);
  return JSON.stringify(shareAnswers(shareExamples(document)), null, 2) + '\n';
}
