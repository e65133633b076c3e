import { countOf } from '../../platform/counts.js';
import { LOST_AFTER_DAYS, LOST_AFTER_GONE_DAYS, type ProofProblem } from '../sites/unread-proof.js';
import { describeEnd } from '../sites/unread-proof-words.js';
import type { OwnershipLostEvent, ProofUnreadEvent } from './alert-event.js';
import type { Told } from './told.js';

export function tellOfUnreadProof({ data }: ProofUnreadEvent, publicUrl: string): Told {
  const { site, problem, countedDays, daysLeft, proof, domain } = data;
  const name = domain ?? site.hostname;
  const subject =
    countedDays === 0 && problem === 'unread'
      ? `${name}: we could not find your proof of ownership`
      : `${name} is no longer verified in ${countOf(daysLeft, 'day')}, unless we find your proof of ownership`;
  return {
    subject,
    lines: [
      `${PROBLEMS[problem](name, site.hostname)} ${daysOf(data)}`,
      ...(domain === undefined
        ? []
        : [`It is one DNS record, for ${site.hostname} and for every other site that it verified.`]),
      '',
      placesOf(proof, domain),
      { link: 'See what to publish, and have it checked', url: `${publicUrl}/sites/${site.id}/verify` },
      '',
      ...describeEnd({ problem, days: countedDays, daysLeft }),
    ],
    tone: 'worse',
  };
}

/** A file, like a record of its own, proves one site alone. */
function placesOf({ dnsName, fileUrl }: ProofUnreadEvent['data']['proof'], domain: string | undefined): string {
  if (domain !== undefined && dnsName) return `Publish the TXT record at ${dnsName} again.`;
  const file = `let us read ${fileUrl}`;
  return dnsName ? `Publish a TXT record at ${dnsName}, which no firewall hides, or ${file}.` : `Please ${file}.`;
}

/** By whose proof it is, and the host that was looked at. */
const PROBLEMS: Readonly<Record<ProofProblem, (name: string, hostname: string) => string>> = {
  unread: (name) => `We could not read the proof that ${name} is yours: we got no answer, or were refused.`,
  absent: (name) => `We looked for the proof that ${name} is yours, and it was not there.`,
  gone: (name, hostname) =>
    `We could not read the proof that ${name} is yours: the DNS answers that ${name === hostname ? 'this name' : hostname} does not exist.`,
};

function daysOf({ since, countedDays }: ProofUnreadEvent['data']): string {
  const day = since.slice(0, 10);
  return countedDays === 0
    ? `That was on ${day}.`
    : `We have not found it for ${countOf(countedDays, 'day')}, since ${day}.`;
}

export function tellOfOwnership({ data }: OwnershipLostEvent, publicUrl: string): Told {
  const { site, reason = 'absent', domain } = data;
  const name = domain ?? site.hostname;
  const loss = describeLoss(reason, name, site.hostname);
  return {
    subject: `${name} is no longer verified`,
    lines: [
      ...(domain === undefined
        ? [
            `${loss} No run of it starts until the proof is there again.`,
            'Its runs, schedule and deploy hook wait for you; only the evidence that quotes the site was deleted.',
          ]
        : [
            `${loss} It was one DNS record: the sites that it verified are lost as their days run out, unless they have proofs of their own.`,
            'Their runs, schedules and deploy hooks wait for you; only the evidence that quotes the sites was deleted.',
          ]),
      '',
      {
        link: 'Publish the proof, best as a DNS record, and have it checked',
        url: `${publicUrl}/sites/${site.id}/verify`,
      },
    ],
    tone: 'worse',
  };
}

function describeLoss(reason: ProofProblem, name: string, hostname: string): string {
  switch (reason) {
    case 'absent':
      return `The proof that ${name} is yours was missing twice, at least a day apart.`;
    case 'gone':
      return `On ${LOST_AFTER_GONE_DAYS} days the DNS answered that ${hostname} does not exist.`;
    case 'unread':
      return `On ${LOST_AFTER_DAYS} days we could not read the proof that ${name} is yours.`;
  }
}
