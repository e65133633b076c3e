const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{`, `]` and `}`: each pair differs in one bit. */
const OPENING = 0x7b;
const CLOSING = 0x7d;
const BRACE_BIT = 0x20;

/** No message of the protocol needs a tenth of this; what reads the messages calls itself for each level, and would run out of stack. */
const LEVELS_MAX = 100;

/** Whether a JSON text has objects and arrays within one another past any use. Takes a time that grows with its length alone. */
export function isTooDeep(json: Uint8Array): boolean {
  let levels = 0;
  let isString = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index] ?? 0;
    if (isString) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) isString = false;
    } else if (byte === QUOTE) isString = true;
    else if ((byte | BRACE_BIT) === OPENING) levels += 1;
    else if ((byte | BRACE_BIT) === CLOSING) levels -= 1;
    if (levels > LEVELS_MAX) return true;
  }
  return false;
}
