import { countOf } from '../../platform/counts.js';
import { LOST_AFTER_DAYS, LOST_AFTER_GONE_DAYS, type ProofProblem } from '../sites/unread-proof.js';
import { describeEnd } from '../sites/unread-proof-words.js';
import type { OwnershipLostEvent, ProofUnreadEvent } from './alert-event.js';
import type { Told } from './told.js';

export function tellOfUnreadProof({ data }: ProofUnreadEvent, publicUrl: string): Told {
  const { site, problem, countedDays, daysLeft, proof } = data;
  const { hostname } = site;
  const subject =
    countedDays === 0 && problem === 'unread'
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
      { link: 'See what to publish, and have it checked', url: `${publicUrl}/sites/${site.id}/verify` },
      '',
      ...describeEnd({ problem, days: countedDays, daysLeft }),
    ],
    tone: 'worse',
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
    : `We have not found it for ${countOf(countedDays, 'day')}, since ${day}.`;
}

export function tellOfOwnership({ data: { site, reason } }: OwnershipLostEvent, publicUrl: string): Told {
  return {
    subject: `${site.hostname} is no longer verified`,
    lines: [
      `${describeLoss(reason ?? 'absent', site.hostname)} No run of it starts until the proof is there again.`,
      'Its runs, schedule and deploy hook wait for you; only the evidence that quotes the site was deleted.',
      '',
      {
        link: 'Publish the proof, best as a DNS record, and have it checked',
        url: `${publicUrl}/sites/${site.id}/verify`,
      },
    ],
    tone: 'worse',
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
