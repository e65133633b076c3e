import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import type { z } from 'zod';

/** The message for a missing argument; other faults keep theirs. */
export function missing(name: string): { readonly error: (issue: { readonly input?: unknown }) => string | undefined } {
  return { error: ({ input }) => (input === undefined ? `The argument "${name}" is missing.` : undefined) };
}

/**
 * Wraps the call of a tool. Each result says whether it is an error, since without `isError` Java's SDK reads null. Unknown arguments are
 * ignored, because platforms add their own, but the result mentions them.
 */
export function answering<Given extends object>(
  shape: z.ZodRawShape,
  call: (given: Given, context: ServerContext) => CallToolResult | Promise<CallToolResult>,
) {
  const note = `Unknown arguments were ignored. This tool takes ${Object.keys(shape).join(', ')}.`;
  return async (given: Given, context: ServerContext): Promise<CallToolResult> => {
    const result = await call(given, context);
    const hasUnknown = Object.keys(given).some((name) => !Object.hasOwn(shape, name));
    const content: CallToolResult['content'] = hasUnknown
      ? [...result.content, { type: 'text', text: note }]
      : result.content;
    return { isError: false, ...result, content };
  };
}
