/** The text of a file that people made, as its byte order mark says; without one it is taken for UTF-8. Spreadsheets write UTF-16. */
export function decodeText(bytes: Uint8Array): string {
  const [first = 0, second = 0] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}
