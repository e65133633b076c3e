import type { FunctionComponent, JSX } from 'preact';
import { jsxTemplate } from 'preact/jsx-runtime';
import { renderToString } from 'preact-render-to-string';

interface Kept {
  readonly key: string;
  readonly html: string;
}

/**
 * A part that pages have many of, which is put in as the text of the last time where it would be the same: that is kept with an object that
 * the part shows, and goes with it.
 * @param keyOf says all that the part depends on but that object, which must not change
 */
export function keptPart<Props extends object>(
  Part: FunctionComponent<Props>,
  ownerOf: (props: Props) => object,
  keyOf: (props: Props) => string,
): (props: Props) => JSX.Element {
  const parts = new WeakMap<object, Kept>();
  return (props) => {
    const [owner, key] = [ownerOf(props), keyOf(props)];
    let kept = parts.get(owner);
    if (kept?.key !== key) {
      kept = { key, html: renderToString(<Part {...props} />) };
      parts.set(owner, kept);
    }
    return jsxTemplate([kept.html]);
  };
}
