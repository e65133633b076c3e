import type { SchemaNode, StructuredPage } from '../../evidence/structured-data.js';
import { schemaOrg } from '../../evidence/schema-org.js';
import type { Vocabulary, SafeText } from '../../evidence/safe-text.js';
import { listed, term, safeText } from '../../evidence/safe-text.js';
import { PageEntities } from '../../parse/structured-data/entities.js';
import { findNearest } from '../../parse/structured-data/nearest.js';
import { findForeignUrls, findUnshownTitles } from './page-agreement.js';
import type { Mismatch } from './mismatch.js';
import { describeKinds, isPossibleValue } from './possible-values.js';

/** All mismatches of a page: first with the vocabulary, then with what the page shows. */
export function findMismatches(page: StructuredPage): Mismatch[] {
  const entities = PageEntities.of(page);
  return [...findInNodes(page), ...findForeignUrls(entities), ...findUnshownTitles(entities)];
}

/** Types and values of one page that are compared with the vocabulary; no honest page has this many. */
const COMPARED_MAX = 15_000;

function findInNodes(page: StructuredPage): Mismatch[] {
  const found: Mismatch[] = [];
  let left = COMPARED_MAX;
  for (const node of page.nodes) {
    left -= node.properties.reduce((sum, { values }) => sum + values.length, node.types.length);
    if (left < 0) break;
    for (const mismatch of findInNode(page, node)) found.push(mismatch);
  }
  return found;
}

function findInNode(page: StructuredPage, node: SchemaNode): Mismatch[] {
  const { types, members, properties } = schemaOrg();
  const found: Mismatch[] = [];
  const add = (describe: () => SafeText): void => {
    found.push({ page, node, describe });
  };
  for (const { name, isCertain } of node.types) {
    // Enumeration members may also be used as types (schema.org, "Data model", on enumerations).
    if (isCertain && !types.has(name) && !members.has(name)) add(() => describeUnknown(term('its type'), name, types));
  }
  for (const { name, isCertain, position, values } of node.properties) {
    const known = properties.has(name);
    if (!known && isCertain && !isActionAnnotation(name)) {
      add(() => describeUnknown(safeText`property ${position}`, name, properties));
    }
    if (known && !values.every((value) => isPossibleValue(name, value))) {
      add(
        () =>
          safeText`the value of property ${position} (${listed(name, properties) ?? term('')}) is not ${describeKinds(name)}`,
      );
    }
  }
  return found;
}

/** `query-input`, `url-output`: how actions state which properties of an object are expected (schema.org, "Actions"). */
function isActionAnnotation(name: string): boolean {
  return name.endsWith('-input') || name.endsWith('-output');
}

function describeUnknown(what: SafeText, name: string, vocabulary: Vocabulary): SafeText {
  const nearest = findNearest(name, vocabulary);
  const known = nearest === null ? null : listed(nearest, vocabulary);
  return known
    ? safeText`${what} is not in schema.org; the nearest one is ${known}`
    : safeText`${what} is not in schema.org`;
}
