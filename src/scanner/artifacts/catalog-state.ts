import type { CatalogDocument } from './manifests.js';

/** Whether a catalog can be read and is valid as a whole; its entries may still have faults. */
export function isSoundCatalog({ state }: CatalogDocument): boolean {
  return state.kind === 'read' && state.problems.length === 0;
}

/** Whether a catalog is proven to be useless. */
export function isFailingCatalog({ state }: CatalogDocument): boolean {
  return state.kind === 'unreachable' || (state.kind === 'read' && state.problems.length > 0);
}
