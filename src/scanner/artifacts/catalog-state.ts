import type { CatalogDocument } from './manifests.js';

/** True if a catalog can be read and is valid as a whole; its entries may still have faults. */
export function isSoundCatalog({ state }: CatalogDocument): boolean {
  return state.kind === 'read' && state.problems.length === 0;
}

/** True if a catalog is proven to be missing, unreachable or invalid. */
export function isFailingCatalog({ state }: CatalogDocument): boolean {
  return (
    state.kind === 'missing' || state.kind === 'unreachable' || (state.kind === 'read' && state.problems.length > 0)
  );
}
