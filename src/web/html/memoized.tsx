import type { FunctionComponent, JSX } from 'preact';
import { jsxTemplate } from 'preact/jsx-runtime';
import { renderToString } from 'preact-render-to-string';

interface Rendered {
  readonly key: string;
  readonly html: string;
}

/**
 * Caches the HTML of a component that pages have many of, for as long as an object that it shows exists.
 * @param ownerOf returns that object, which must not change
 * @param keyOf describes everything else that the component depends on
 */
export function memoized<Props extends object>(
  Component: FunctionComponent<Props>,
  ownerOf: (props: Props) => object,
  keyOf: (props: Props) => string,
): (props: Props) => JSX.Element {
  const cache = new WeakMap<object, Rendered>();
  return (props) => {
    const [owner, key] = [ownerOf(props), keyOf(props)];
    let rendered = cache.get(owner);
    if (rendered?.key !== key) {
      rendered = { key, html: renderToString(<Component {...props} />) };
      cache.set(owner, rendered);
    }
    return jsxTemplate([rendered.html]);
  };
}
