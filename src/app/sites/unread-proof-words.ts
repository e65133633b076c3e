import { countOf } from '../../platform/counts.js';
import { isRestricted, LOST_AFTER_DAYS, RESTRICTED_AFTER_DAYS, type UnreadProof } from './unread-proof.js';

/** What the last look saw, to the owner, without its full stop. */
export function describeUnread({ problem, days }: Pick<UnreadProof, 'problem' | 'days'>): string {
  switch (problem) {
    case 'absent':
      return 'Your proof is not there';
    case 'gone':
      return 'We could not find your proof: the DNS says that the name does not exist';
    case 'unread':
      return days === 0 ? 'We could not read your proof' : `We could not read your proof for ${countOf(days, 'day')}`;
  }
}

const RESTRICTED = 'runs do not try the names of AI agents (C-BOT-03) and keep no evidence';
const LOST = 'the site is no longer verified, and no run starts until it is';

/** What follows if nothing changes: sentences for the page and the messages alike. */
export function describeEnd(unread: Pick<UnreadProof, 'problem' | 'days' | 'daysLeft'>): readonly string[] {
  const { problem, days, daysLeft } = unread;
  if (problem === 'unread' && !isRestricted({ days })) {
    return [
      `After ${countOf(RESTRICTED_AFTER_DAYS, 'day')} without it, ${RESTRICTED}; after ${LOST_AFTER_DAYS} ${LOST}.`,
    ];
  }
  const now = isRestricted({ days }) ? [`Until we find it, ${RESTRICTED}.`] : [];
  switch (problem) {
    case 'absent':
      return [...now, `If it is still not there when we look a day later, ${LOST}.`];
    case 'gone':
      return [...now, `If the name does not exist on ${countOf(daysLeft, 'more day')}, ${LOST}.`];
    case 'unread':
      return [...now, `In ${countOf(daysLeft, 'day')} ${LOST}.`];
  }
}
