/**
 * A text that a site may serve to hold up whoever reads it. It is made to a length, so that a test can try it short and a torture
 * program at the limits of its reader.
 */
export interface HostileText {
  readonly name: string;
  readonly make: (chars: number) => string;
}

/** This again and again, between a start and an end. */
export function repeat(name: string, piece: string, start = '', end = ''): HostileText {
  const fixed = start.length + end.length;
  return { name, make: (chars) => start + piece.repeat(Math.max(1, Math.floor((chars - fixed) / piece.length))) + end };
}

/** Different pieces, made from their number. */
export function series(name: string, piece: (index: number) => string, start = '', end = ''): HostileText {
  const make = (chars: number): string => {
    const pieces: string[] = [];
    for (let index = 0, length = start.length + end.length; length < chars; index += 1) {
      pieces.push(piece(index));
      length += pieces.at(-1)?.length ?? 1;
    }
    return start + pieces.join('') + end;
  };
  return { name, make };
}

/** A name of letters alone for a number. */
export const nameOf = (index: number): string =>
  index.toString(26).replaceAll(/[0-9]/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '');
