import type { ComponentChildren, JSX } from 'preact';

interface TwoProps {
  /** At the right, or below on a narrow screen: parts that each have a title. */
  readonly rail?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page below its head: work at the left, a sidebar at the right. */
export function Two({ rail, children }: TwoProps): JSX.Element {
  return (
    <div class="w two">
      <div>{children}</div>
      {rail !== undefined && <aside class="rail">{rail}</aside>}
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
