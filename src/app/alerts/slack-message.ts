import { fitLines, fitTitle, paragraphsOf, type Told, type ToldLine } from './told.js';

/** A message to an incoming webhook, in the part of Block Kit that we use (docs.slack.dev/reference/block-kit/blocks). */
export interface SlackMessage {
  /** For notifications, for readers of screens, and for what takes Slack's messages but has no blocks, such as Mattermost. */
  readonly text: string;
  readonly mrkdwn: false;
  readonly blocks: readonly SlackBlock[];
  readonly unfurl_links: false;
  readonly unfurl_media: false;
}

type SlackBlock =
  | {
      readonly type: 'header';
      readonly text: { readonly type: 'plain_text'; readonly text: string; readonly emoji: false };
    }
  | {
      readonly type: 'section';
      readonly text: { readonly type: 'mrkdwn'; readonly text: string; readonly verbatim: true };
    };

/** What Slack takes at most, in characters and blocks. */
const HEADER_MAX = 150;
const SECTION_MAX = 3000;
const BLOCKS_MAX = 50;
/** Slack cuts what is longer than 40,000, and advises 4,000. */
const TEXT_MAX = 4000;

/** Nothing in it is a mention or turns into a link by itself: `verbatim` leaves the text as it is, and what Slack reads as markup is escaped. */
export function slackMessage(told: Told): SlackMessage {
  const sections = paragraphsOf(told).map((lines): SlackBlock => {
    const text = fitLines(lines.map(markLine), SECTION_MAX);
    return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
  });
  const title = fitTitle(told.subject, HEADER_MAX, escapeSlack);
  return {
    text: fitLines([escapeSlack(told.subject), ...paragraphsOf(told).flat().map(plainLine)], TEXT_MAX),
    mrkdwn: false,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: title, emoji: false } },
      ...sections.slice(0, BLOCKS_MAX - 1),
    ],
    unfurl_links: false,
    unfurl_media: false,
  };
}

function markLine(line: ToldLine): string {
  if (typeof line === 'string') return escapeSlack(line);
  if ('pins' in line) return `\`${escapeSlack(line.pins)}\``;
  if ('link' in line) return linkTo(line.url, line.link);
  return `• ${line.url === undefined ? escapeSlack(line.item) : linkTo(line.url, line.item)}`;
}

function plainLine(line: ToldLine): string {
  if (typeof line === 'string') return escapeSlack(line);
  if ('pins' in line) return escapeSlack(line.pins);
  if ('link' in line) return escapeSlack(`${line.link}: ${line.url}`);
  return escapeSlack(`• ${line.item}`);
}

function linkTo(url: string, label: string): string {
  return `<${escapeSlack(url).replaceAll('|', '%7C')}|${escapeSlack(label)}>`;
}

/** The three characters that Slack gives a meaning (docs.slack.dev/messaging/formatting-message-text, "Escaping text"). */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
