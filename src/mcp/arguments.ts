import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Other names by which agents give these arguments: in small letters, without hyphens and underscores. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  url: [
    ...['uri', 'link', 'site', 'siteurl', 'website', 'websiteurl', 'webpage', 'page', 'pageurl', 'homepage'],
    ...['domain', 'domainname', 'host', 'hostname', 'origin'],
  ],
  checkIds: ['checks', 'checknames'],
  path: ['file', 'filename', 'filepath', 'pathname'],
  contentType: ['type', 'mimetype', 'mediatype'],
  body: ['content', 'contents', 'text', 'filecontent'],
  checkId: ['check', 'checkids', 'checkname'],
  detail: ['details', 'detaillevel', 'verbosity'],
};

const NAMES_SHOWN = 5;
const NAME_CHARS_SHOWN = 40;

/** A message for an argument that is not there; other faults keep theirs. */
export function missing(name: string): { readonly error: (issue: { readonly input?: unknown }) => string | undefined } {
  return { error: ({ input }) => (input === undefined ? `The argument "${name}" is missing.` : undefined) };
}

/**
 * The arguments of a tool. What is none of them is let through, since platforms add keys of their own, but not what is plainly another name
 * of one: to ignore it would answer something else than was asked.
 */
export function argumentsOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const ours = Object.keys(shape);
  return z.looseObject(shape).refine((given) => misnamed(ours, given).length === 0, {
    // Also where an argument is missing: it is then that this helps most.
    when: () => true,
    error: ({ input }) =>
      misnamed(ours, input)
        .map(([theirs, own]) => `The argument ${quote(theirs)} is called "${own}" here.`)
        .join(' '),
  });
}

/** A tool that says of each answer whether it is an error, and names what it ignored. Without the first, Java's SDK reads null. */
export function answering<Given extends object>(
  shape: z.ZodRawShape,
  call: (given: Given, context: ServerContext) => CallToolResult | Promise<CallToolResult>,
) {
  return async (given: Given, context: ServerContext): Promise<CallToolResult> => {
    const result = await call(given, context);
    const ignored = Object.keys(given).filter((name) => !Object.hasOwn(shape, name));
    return { isError: false, ...result, content: [...result.content, ...noteOf(ignored)] };
  };
}

function noteOf(ignored: readonly string[]): CallToolResult['content'] {
  if (ignored.length === 0) return [];
  const names = ignored.slice(0, NAMES_SHOWN).map(quote).join(', ');
  const more = ignored.length > NAMES_SHOWN ? ` and ${ignored.length - NAMES_SHOWN} more` : '';
  return [{ type: 'text', text: `This tool has no such argument, and ignored: ${names}${more}.` }];
}

/** What is plainly another name of one of ours, with ours. */
function misnamed(ours: readonly string[], given: unknown): [theirs: string, own: string][] {
  if (typeof given !== 'object' || given === null) return [];
  return Object.keys(given).flatMap((theirs) => {
    if (ours.includes(theirs)) return [];
    const own = ours.find((name) => isOtherNameOf(name, theirs));
    return own === undefined ? [] : [[theirs, own] satisfies [string, string]];
  });
}

function isOtherNameOf(name: string, theirs: string): boolean {
  const plain = theirs.replaceAll(/[-_ ]/g, '').toLowerCase();
  return plain === name.toLowerCase() || (OTHER_NAMES[name] ?? []).includes(plain);
}

function quote(name: string): string {
  return JSON.stringify(name.length > NAME_CHARS_SHOWN ? `${name.slice(0, NAME_CHARS_SHOWN)}…` : name);
}
