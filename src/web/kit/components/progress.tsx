import type { ComponentChildren, JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { ScanProgress } from '../../../scanner/report/progress.js';
import { WAITING_PINS } from '../../../scanner/report/pins.js';
import { Bar, CHECK_COUNT, Column, Count, Done, Found, Reading, type Shown, WholeLock } from './progress-parts.js';

/** Few words, and new ones now and then only: they are read aloud. */
const CHECKS_A_WORD = 6;

/** The parts of a page that follow a scan, by id: the stream sends those that have changed, and the script puts them in. */
export type LiveParts = ReadonlyMap<string, string>;

/** What may stand on a page for it. */
const PARTS: Readonly<Record<string, (shown: Shown) => JSX.Element>> = {
  'live-bar': Bar,
  'live-count': Count,
  'live-done': Done,
  'live-reading': Reading,
  'live-lock': WholeLock,
  ...Object.fromEntries(
    WAITING_PINS.map((_group, at) => [`live-group-${at}`, ({ progress }: Shown) => <Column {...{ progress, at }} />]),
  ),
  'live-found': Found,
};
const SAID = 'live-said';

const rendered = new WeakMap<ScanProgress, LiveParts>();

/** Rendered once for all who watch the same scan. A page takes those that it has. */
export function livePartsOf(progress: ScanProgress): LiveParts {
  const known = rendered.get(progress);
  if (known) return known;
  const elements = Object.entries(PARTS).map(
    ([id, Part]) => [id, renderToString(<Part progress={progress} />)] as const,
  );
  const parts = new Map([...elements, [SAID, saidOf(progress)]]);
  rendered.set(progress, parts);
  return parts;
}

interface LiveProps extends Shown {
  readonly id: string;
  /** By default a `div`. */
  readonly as?: 'div' | 'b' | 'span';
  readonly class?: string;
}

/** One part in its place. */
function Live({ id, progress, as: Box = 'div', class: className }: LiveProps): JSX.Element {
  const Part = PARTS[id] ?? Count;
  return (
    <Box id={id} class={className}>
      <Part progress={progress} />
    </Box>
  );
}

/** Where the stream is, and what is read aloud of it. */
function Said({ progress, href }: Shown & { readonly href: string }): JSX.Element {
  return (
    <p id={SAID} class="hide" role="status" data-live={href}>
      {saidOf(progress)}
    </p>
  );
}

function saidOf({ judged }: ScanProgress): string {
  const count = judged.length - (judged.length % CHECKS_A_WORD);
  return count === 0 ? 'It is running.' : `${count} of ${CHECK_COUNT} checks done.`;
}

interface ProgressHeadProps extends Shown {
  /** The stream that moves the page. With script it is followed; without, the page is loaded again and again (see `Page.reload`). */
  readonly href: string;
}

/** How far a scan is, for the head of its page; the checks by name stand below it: {@link ProgressChecks}. */
export function ProgressBar({
  progress,
  href,
  children,
}: ProgressHeadProps & { readonly children: string }): JSX.Element {
  return (
    <>
      <Said progress={progress} href={href} />
      <div class="row apart soft reading">
        <Live id="live-count" progress={progress} />
        <Live id="live-reading" progress={progress} />
      </div>
      <Live id="live-bar" progress={progress} />
      <p class="soft small more">{children}</p>
    </>
  );
}

interface ProgressLockProps extends ProgressHeadProps {
  readonly title: string;
  /** What else is to be known. */
  readonly children: ComponentChildren;
}

/** The same next to the pins, where the page's head has them. @param props.title such as `First run` */
export function ProgressLock({ progress, href, title, children }: ProgressLockProps): JSX.Element {
  return (
    <>
      <Said progress={progress} href={href} />
      <div class="verdict">
        <div>
          <p class="score">
            <Live id="live-done" progress={progress} as="b" class="words num" />
            <span>
              <span class="soft">checks done</span>
              <strong>
                <Live id="live-reading" progress={progress} as="span" />
              </strong>
              <span class="soft">{title}</span>
            </span>
          </p>
          {/* Figures and pins are seen. */}
          <Live id="live-bar" progress={progress} class="hide" />
        </div>
        <Live id="live-lock" progress={progress} />
        <p class="facts">{children}</p>
      </div>
    </>
  );
}

/** Every check by name, under its pin. */
export function ProgressChecks({ progress }: Shown): JSX.Element {
  return (
    <div class="ticks">
      {WAITING_PINS.map(({ name }, at) => (
        <Live key={name} id={`live-group-${at}`} progress={progress} />
      ))}
    </div>
  );
}

/** The failures so far, in words. */
export function ProgressFound({ progress }: Shown): JSX.Element {
  return <Live id="live-found" progress={progress} />;
}
