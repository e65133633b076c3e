import { decodeText } from '../../platform/decode-text.js';
import { ServiceError } from '../../platform/errors.js';
import { readBody } from '../../platform/http/request-body.js';
import type { WebContext } from './context.js';

/**
 * Reads a form that brings a file, or more than other forms may (`multipart/form-data`): its fields are then where those of every form are,
 * a file as its text. One of the usual type has been read already.
 * @param names of its fields
 * @param bytesMax of the whole form
 * @throws ServiceError payload_too_large; bad_request where it cannot be read
 */
export async function readLongForm(ctx: WebContext, names: readonly string[], bytesMax: number): Promise<void> {
  if (ctx.is('multipart/form-data') !== 'multipart/form-data') return;
  const type = ctx.get('Content-Type');
  const body = await readBody(ctx.req, bytesMax);
  if (!isShort(body, type, names.length)) throw new ServiceError('bad_request');
  const headers = { 'Content-Type': type };
  const form = await new Response(new Uint8Array(body), { headers }).formData().catch(() => {
    throw new ServiceError('bad_request');
  });
  const fields: Record<string, string> = {};
  for (const name of names) {
    const value = form.get(name);
    fields[name] = value instanceof Blob ? decodeText(new Uint8Array(await value.arrayBuffer())) : (value ?? '');
  }
  Object.assign(ctx.request, { body: fields });
}

/** Of one part: the name of the field, that of a file, and its type. */
const PART_HEAD_BYTES_MAX = 4000;

/**
 * Whether it is quickly read: the parser takes no pause, and spends most on the number of parts and on what stands above each. Wherever the
 * boundary stands, a part may begin.
 */
function isShort(body: Buffer, type: string, partsMax: number): boolean {
  const [, quoted, boundary = quoted] =
    /^multipart\/form-data; *boundary=(?:"([^"\\]+)"|([^\s";]+))$/i.exec(type) ?? [];
  if (boundary === undefined) return false;
  let count = 0;
  for (let at = body.indexOf(boundary); at !== -1; at = body.indexOf(boundary, at + 1)) {
    const head = body.subarray(at + boundary.length, at + boundary.length + PART_HEAD_BYTES_MAX);
    const isLast = head.toString('latin1', 0, 2) === '--';
    count += 1;
    // One more ends the last part.
    if (count > partsMax + 1 || !(isLast || head.includes('\r\n\r\n'))) return false;
  }
  return true;
}
