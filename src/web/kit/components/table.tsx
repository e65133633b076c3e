import type { ComponentChildren, JSX } from 'preact';

export interface TableProps {
  readonly caption: ComponentChildren;
  readonly head: readonly (readonly [title: string, kind?: 'number'])[];
  /** The rows: each begins with a heading, and each further cell says by `data-label` what it is. */
  readonly children: ComponentChildren;
}

/** A table whose rows become blocks on a narrow screen. */
export function Table({ caption, head, children }: TableProps): JSX.Element {
  return (
    <table class="stack">
      <caption>{caption}</caption>
      <thead>
        <tr>
          {head.map(([title, kind]) => (
            <th key={title} scope="col" class={kind}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
