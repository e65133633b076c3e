import type { ComponentChildren, JSX } from 'preact';
import { Fold } from '../../../web/kit/components/fold.js';
import { Snippet } from '../../../web/kit/components/text.js';
import { chatMessage } from '../chat-message.js';
import { type ChatFormat, FORMATS } from '../webhook-format.js';
import { sampleForPeople } from './samples.js';

/** A message of a change as a chat shows it, drawn from the very JSON that is sent. */
export function ChatPreview({
  format,
  publicUrl,
}: {
  readonly format: ChatFormat;
  readonly publicUrl: string;
}): JSX.Element {
  const event = sampleForPeople(publicUrl);
  const message = chatMessage(format, event, publicUrl);
  const shown =
    'blocks' in message
      ? message.blocks.map(({ type, text: { text } }) => ({ isTitle: type === 'header', parts: partsOfSlack(text) }))
      : message.embeds.flatMap(({ title, description }) => [
          { isTitle: true, parts: partsOfDiscord(title) },
          ...description.split('\n\n').map((text) => ({ isTitle: false, parts: partsOfDiscord(text) })),
        ]);
  return (
    <>
      <div class="msg chat">
        {shown.map(({ isTitle, parts }, index) => (
          <p key={index} class={isTitle ? 'w6' : undefined}>
            {parts.map(drawPart)}
          </p>
        ))}
      </div>
      <Fold title={`What is sent to ${FORMATS[format]}, in JSON`}>
        <Snippet text={JSON.stringify(message, null, 2)} label={`Message to ${FORMATS[format]}`} />
      </Fold>
    </>
  );
}

/** What a chat makes of its markup. */
type Part = { readonly text: string } | { readonly code: string } | { readonly url: string; readonly label: string };

function drawPart(part: Part, index: number): ComponentChildren {
  if ('code' in part) return <code key={index}>{part.code}</code>;
  // The run of a sample is none that a link could lead to.
  if ('url' in part) return <u key={index}>{part.label}</u>;
  return part.text.split('\n').flatMap((line, at) => (at === 0 ? [line] : [<br key={`${index} ${at}`} />, line]));
}

/** `<url|label>`, and code between backticks. */
const SLACK_MARKUP = /<([^<|>]+)\|([^<>]+)>|`([^`]+)`/;
/** `[label](url)`, and the same. */
const DISCORD_MARKUP = /(?<!\\)\[((?:\\.|[^[\]\\])+)\]\(([^()]+)\)|`([^`]+)`/;

function partsOfSlack(text: string): Part[] {
  const plain = (escaped: string): string =>
    escaped.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return split(text, SLACK_MARKUP, plain, (url, label) => ({ url: plain(url), label: plain(label) }));
}

function partsOfDiscord(text: string): Part[] {
  const plain = (escaped: string): string => escaped.replace(/\\([^\w\s])/g, '$1');
  return split(text, DISCORD_MARKUP, plain, (label, url) => ({ url, label: plain(label) }));
}

function split(
  text: string,
  markup: RegExp,
  plain: (escaped: string) => string,
  linkOf: (first: string, second: string) => Part,
): Part[] {
  // Each match brings its three groups along.
  const pieces = text.split(markup);
  return pieces.flatMap((piece, index): Part[] => {
    if (index % 4 === 0) return [{ text: plain(piece) }];
    if (index % 4 === 1 && piece) return [linkOf(piece, pieces[index + 1] ?? '')];
    return index % 4 === 3 && piece ? [{ code: plain(piece) }] : [];
  });
}
