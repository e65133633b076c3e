import type { AnyOperation, Operation, OperationId } from './operation.js';
import { operation as createRun } from './operations/create-run.js';
import { operation as description } from './operations/description.js';
import { operation as getLatestRun } from './operations/get-latest-run.js';
import { operation as getRun } from './operations/get-run.js';

/** The compiler asks for each operation of the document, and for no other. */
const BY_ID: { readonly [Id in OperationId]: Operation<Id> } = { createRun, description, getLatestRun, getRun };

/** By their ids. */
export const OPERATIONS = new Map(Object.entries(BY_ID)) as unknown as ReadonlyMap<string, AnyOperation>;
