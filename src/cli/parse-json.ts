/** Null for text that is not valid JSON: it fits none of the forms that a command asks for. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
