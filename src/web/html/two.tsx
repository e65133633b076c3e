import type { ComponentChildren, JSX } from 'preact';

export interface TwoProps {
  /** At the right: parts that each have a title. */
  readonly rail?: ComponentChildren;
  /** Whether it is read first where there is one column: a way out that comes before a form. */
  readonly isRailFirst?: boolean;
  /** Whether its first part alone is. */
  readonly isGlanceFirst?: boolean;
  /** What is read after the rail where there is one column. */
  readonly end?: ComponentChildren;
  /** What is read before all else, across the page. */
  readonly above?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page below its head: work at the left, a rail at the right. */
export function Two({ rail, isRailFirst = false, isGlanceFirst = false, end, above, children }: TwoProps): JSX.Element {
  const place = isGlanceFirst ? 'rail parted' : end === undefined ? 'rail' : 'rail amid';
  const aside = rail !== undefined && <aside class={place}>{rail}</aside>;
  const isBefore = isRailFirst || isGlanceFirst;
  return (
    <div class="w two">
      {above !== undefined && <div class="above">{above}</div>}
      {isBefore && aside}
      <div>{children}</div>
      {!isBefore && aside}
      {end !== undefined && <div>{end}</div>}
    </div>
  );
}

interface RailPartProps {
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
}

export function RailPart({ title, children }: RailPartProps): JSX.Element {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** A part that is a few words. */
export function RailText({ title, children }: RailPartProps): JSX.Element {
  return (
    <RailPart title={title}>
      <p class="small soft">{children}</p>
    </RailPart>
  );
}

/** What is known of something: a name, and its value. */
export type Fact = readonly [name: ComponentChildren, value: ComponentChildren];

/** Facts as a list; one that does not apply is left out. */
export function Facts({ facts }: { readonly facts: readonly (Fact | false | null)[] }): JSX.Element {
  return (
    <dl class="dl">
      {facts.map(
        (fact) =>
          fact && (
            <>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </>
          ),
      )}
    </dl>
  );
}
