import { SpecError } from './compile-spec.js';

interface Answer {
  readonly content?: Readonly<Record<string, { readonly examples?: Record<string, object> }>>;
}

/** What it reads of a document. */
export interface WithExamples {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, Answer>> }>>>
  >;
  readonly components: Readonly<Record<string, unknown>>;
}

/**
 * Moves the examples of successes to the components, which TypeSpec's emitter never does: several operations answer the same run. Each is
 * called by its title in the specification, `completed_run` becomes CompletedRun.
 * @throws SpecError for two of one title that differ
 */
export function shareExamples<Document extends WithExamples>(document: Document): Document {
  const shared = structuredClone(document);
  const components: Record<string, object> = {};
  for (const { responses } of Object.values(shared.paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, { content = {} }] of Object.entries(responses)) {
      if (!status.startsWith('2')) continue;
      for (const { examples = {} } of Object.values(content)) {
        for (const [title, example] of Object.entries(examples)) {
          const name = title.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
          components[name] ??= example;
          if (JSON.stringify(components[name]) !== JSON.stringify(example))
            throw new SpecError(`there are two examples "${title}", and not alike: give each a title of its own`);
          examples[title] = { $ref: `#/components/examples/${name}` };
        }
      }
    }
  }
  return { ...shared, components: { ...shared.components, examples: components } };
}
