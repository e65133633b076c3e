import type { ComponentChildren, JSX } from 'preact';

export interface TabsProps {
  /** Names the group, such as `Language`. */
  readonly label: string;
  /** Letters, digits and hyphens; unique on the page. */
  readonly name: string;
  /** At most six. */
  readonly panels: readonly (readonly [title: string, content: ComponentChildren])[];
}

/**
 * Radio buttons work without script and by keyboard: the style sheet shows the panel of the one that is checked. Each panel has its
 * name for paper, where all of them show.
 */
export function Tabs({ label, name, panels }: TabsProps): JSX.Element {
  return (
    <div class="tabs" role="radiogroup" aria-label={label}>
      {panels.map(([title], index) => (
        <>
          <input type="radio" name={name} id={`${name}-${index}`} checked={index === 0} />
          <label for={`${name}-${index}`}>{title}</label>
        </>
      ))}
      {panels.map(([title, content]) => (
        <div key={title} data-name={title}>
          {content}
        </div>
      ))}
    </div>
  );
}
