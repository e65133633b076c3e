import { countOf } from '../../platform/counts.js';
import {
  LOST_AFTER_DAYS,
  LOST_AFTER_GONE_DAYS,
  type ProofProblem,
  RESTRICTED_AFTER_DAYS,
} from '../sites/unread-proof.js';
import type { OwnershipLostEvent, ProofUnreadEvent } from './alert-event.js';

/** A message for people, without greeting and foot. */
export interface ToldByMail {
  readonly subject: string;
  readonly lines: readonly string[];
}

export function tellOfUnreadProof({ data }: ProofUnreadEvent, publicUrl: string): ToldByMail {
  const { site, problem, countedDays, daysLeft, proof } = data;
  const { hostname } = site;
  const subject =
    countedDays === 0
      ? `${hostname}: we could not find your proof of ownership`
      : `${hostname} is no longer verified in ${countOf(daysLeft, 'day')}, unless we find your proof of ownership`;
  const file = `let us read ${proof.fileUrl}`;
  const places = proof.dnsName
    ? `Publish a TXT record at ${proof.dnsName}, which no firewall hides, or ${file}.`
    : `Please ${file}.`;
  return {
    subject,
    lines: [
      `${PROBLEMS[problem](hostname)} ${daysOf(data)}`,
      '',
      places,
      `See what to publish, and have it checked: ${publicUrl}/sites/${site.id}/verify`,
      '',
      ...whatFollows(data),
    ],
  };
}

const PROBLEMS: Readonly<Record<ProofProblem, (hostname: string) => string>> = {
  unread: (hostname) => `We could not read the proof that ${hostname} is yours: we got no answer, or were refused.`,
  absent: (hostname) => `We looked for the proof that ${hostname} is yours, and it was not there.`,
  gone: (hostname) =>
    `We could not read the proof that ${hostname} is yours: the DNS answers that this name does not exist.`,
};

function daysOf({ since, countedDays }: ProofUnreadEvent['data']): string {
  const day = since.slice(0, 10);
  return countedDays === 0
    ? `That was on ${day}.`
    : `That has been so for ${countOf(countedDays, 'day')}, since ${day}.`;
}

function whatFollows({ problem, countedDays, daysLeft }: ProofUnreadEvent['data']): readonly string[] {
  const restricted = 'runs no longer try the names of AI agents (C-BOT-03) and keep no evidence';
  return [
    ...(problem === 'absent'
      ? ['If it is missing again when we look a day later, the site is no longer verified: no run starts until it is.']
      : []),
    ...(problem === 'gone'
      ? [
          `After ${countOf(LOST_AFTER_GONE_DAYS, 'day')} on which the name does not exist, the site is no longer verified.`,
        ]
      : []),
    countedDays < RESTRICTED_AFTER_DAYS
      ? `After ${countOf(RESTRICTED_AFTER_DAYS, 'day')} without the proof, ${restricted}; after ${countOf(LOST_AFTER_DAYS, 'day')} the site is no longer verified, and no run starts until it is.`
      : `For now, ${restricted}. In ${countOf(daysLeft, 'day')} the site is no longer verified, and no run starts until it is.`,
  ];
}

export function tellOfOwnership({ data: { site, reason } }: OwnershipLostEvent, publicUrl: string): ToldByMail {
  return {
    subject: `${site.hostname} is no longer verified`,
    lines: [
      `${describeLoss(reason ?? 'absent', site.hostname)} No run of it starts until the proof is there again.`,
      'Its runs, schedule and deploy hook wait for you; only the evidence that quotes the site was deleted.',
      '',
      `Publish the proof, best as a DNS record, and have it checked: ${publicUrl}/sites/${site.id}/verify`,
    ],
  };
}

function describeLoss(reason: ProofProblem, hostname: string): string {
  switch (reason) {
    case 'absent':
      return `The proof that ${hostname} is yours was missing twice, at least a day apart.`;
    case 'gone':
      return `On ${LOST_AFTER_GONE_DAYS} days the DNS answered that ${hostname} does not exist.`;
    case 'unread':
      return `On ${LOST_AFTER_DAYS} days we could not read the proof that ${hostname} is yours.`;
  }
}
