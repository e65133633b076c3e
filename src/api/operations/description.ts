import { keepCodings } from '../../platform/http/coding.js';
import { entityTagOf } from '../../platform/http/conditional.js';
import type { Operation } from '../operation.js';

const MAILTO = 'mailto:';

/** GET /api/v1/openapi.json: the document with this service's own address and its operator's. Made once; pages of every origin may read it. */
export const operation: Operation<'description'> = {
  handler({ document, publicUrl, contact = null }) {
    const info = { ...document.info, contact: { ...document.info.contact, ...addressOf(contact) } };
    const body = Buffer.from(JSON.stringify({ ...document, info, servers: [{ url: publicUrl }] }));
    keepCodings(body, 'best');
    const headers = {
      ETag: entityTagOf(body),
      'Cache-Control': 'public, max-age=300',
      'Access-Control-Allow-Origin': '*',
    } as const;
    return () => Promise.resolve({ status: 200, headers, body });
  },
};

/** A contact object has a field for each kind of address (OpenAPI 3.1, "Contact Object"). */
function addressOf(contact: string | null): { readonly email?: string; readonly url?: string } {
  if (contact === null) return {};
  return contact.startsWith(MAILTO) ? { email: contact.slice(MAILTO.length) } : { url: contact };
}
