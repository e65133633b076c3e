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
  const body = new Uint8Array(await readBody(ctx.req, bytesMax));
  const headers = { 'Content-Type': ctx.get('Content-Type') };
  const form = await new Response(body, { headers }).formData().catch(() => {
    throw new ServiceError('bad_request');
  });
  const fields: Record<string, string> = {};
  for (const name of names) {
    const value = form.get(name);
    fields[name] = value instanceof Blob ? decode(new Uint8Array(await value.arrayBuffer())) : (value ?? '');
  }
  Object.assign(ctx.request, { body: fields });
}

/** As its byte order mark says; without one it is taken for UTF-8. */
function decode(bytes: Uint8Array): string {
  const [first = 0, second = 0] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}
