import type { ComponentChildren, JSX } from 'preact';
import { Mast, TabBar } from '../../../web/kit/components/mast.js';
import type { Link } from '../../../web/kit/layout.js';

const TABS: readonly Link[] = [
  ['/account', 'Account'],
  ['/account/activity', 'Activity'],
];

export interface AccountMastProps {
  /** The path of the tab that the page is. */
  readonly at: '/account' | '/account/activity';
  readonly title: ComponentChildren;
  readonly lead?: ComponentChildren;
}

/** The head of the pages of an account, with its tabs. */
export function AccountMast({ at, ...mast }: AccountMastProps): JSX.Element {
  return <Mast {...mast} tabs={<TabBar label="Pages of your account" links={TABS} at={at} />} />;
}
