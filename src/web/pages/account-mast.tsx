import type { ComponentChildren, JSX } from 'preact';
import { Mast, TabBar } from '../html/mast.js';
import type { Link } from '../html/layout.js';

const TABS: readonly Link[] = [
  ['/account', 'Account'],
  ['/account/activity', 'Activity'],
];

export interface AccountMastProps {
  /** Path of the current tab. */
  readonly at: '/account' | '/account/activity';
  readonly title: ComponentChildren;
  readonly lead?: ComponentChildren;
}

/** The header and tabs of an account's pages. */
export function AccountMast({ at, ...mast }: AccountMastProps): JSX.Element {
  return <Mast {...mast} tabs={<TabBar label="Pages of your account" links={TABS} at={at} />} />;
}
