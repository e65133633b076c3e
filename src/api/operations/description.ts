import type { Document } from 'openapi-backend';
import { entityTagOf } from '../../platform/http/entity-tag.js';
import type { Handlers } from '../handlers.js';

/** GET /api/v1/openapi.json: the document with this service's own address. Made once; pages of every origin may read it. */
export function description(document: Document, publicUrl: string): Handlers['description'] {
  const body = Buffer.from(JSON.stringify({ ...document, servers: [{ url: publicUrl }] }));
  const headers = {
    ETag: entityTagOf(body),
    'Cache-Control': 'public, max-age=300',
    'Access-Control-Allow-Origin': '*',
  } as const;
  return () => Promise.resolve({ status: 200, headers, body });
}
