import type { Header, Message, Operation, Schema } from './api-document.js';

/** Longer texts are cut. */
const FIND_CHARS_MAX = 100;

/** What somebody looks for in the reference: every word must be said. */
export class ReferenceFilter {
  readonly #words: readonly string[];
  /** As it was asked for. */
  readonly find: string;

  constructor(find: string) {
    this.find = find.trim().slice(0, FIND_CHARS_MAX);
    this.#words = this.find.toLowerCase().split(/\s+/);
  }

  operation({ operationId, method, path, summary, description, parameters, answers }: Operation): boolean {
    const sent = parameters.map((one) => `${one.name} ${one.description ?? ''}`);
    const got = answers.map((one) => `${one.status} ${one.description} ${Object.keys(one.headers).join(' ')}`);
    return this.#isSaidIn([operationId, method, path, summary, description, ...sent, ...got]);
  }

  message({ type, description }: Message): boolean {
    return this.#isSaidIn([type, description]);
  }

  header(name: string, { description = '' }: Header): boolean {
    return this.#isSaidIn([name, description]);
  }

  schema(name: string, { description = '', properties = {}, enum: values = [] }: Schema): boolean {
    const texts = Object.entries(properties).map(([property, its]) => `${property} ${its.description ?? ''}`);
    return this.#isSaidIn([name, description, ...texts, ...values]);
  }

  #isSaidIn(texts: readonly string[]): boolean {
    const text = texts.join('\n').toLowerCase();
    return this.#words.every((word) => text.includes(word));
  }
}

/**
 * A part that a filter leaves out stays in the page, since others link to it: browsers show it once such a link is followed (HTML Living
 * Standard §6.1, until-found).
 */
export function hiddenUnless(isShown: boolean): { readonly hidden?: 'until-found' } {
  return isShown ? {} : { hidden: 'until-found' };
}
