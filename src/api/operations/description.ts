import { keepCodings } from '../../platform/http/coding.js';
import { entityTagOf } from '../../platform/http/conditional.js';
import type { Operation } from '../operation.js';

/** GET /api/v1/openapi.json: the document with this service's own address. Made once; pages of every origin may read it. */
export const operation: Operation<'description'> = {
  handler({ document, publicUrl }) {
    const body = Buffer.from(JSON.stringify({ ...document, servers: [{ url: publicUrl }] }));
    keepCodings(body, 'best');
    const headers = {
      ETag: entityTagOf(body),
      'Cache-Control': 'public, max-age=300',
      'Access-Control-Allow-Origin': '*',
    } as const;
    return () => Promise.resolve({ status: 200, headers, body });
  },
};
