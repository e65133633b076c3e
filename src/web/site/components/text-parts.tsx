import { ICON_NAMES, Icon, Mark } from '../../kit/components/icons.js';
import { Group, HostName, Score, TabBar } from '../../kit/components/mast.js';
import { Callout, Notice, Snippet } from '../../kit/components/text.js';
import type { SheetPart } from './sheet-part.js';

const COLOURS = [
  'paper',
  'card',
  'sunk',
  'line',
  'rest',
  'edge',
  'ink',
  'soft',
  'pass',
  'fail',
  'open',
  'none',
  'blue',
];
const LONG_LABEL = 'a'.repeat(63);
const NOTES = [
  ['PASS', 'C-BOT-01 passes now.', 'The score follows with the next run.'],
  ['FAIL', 'The webhook was turned off.', 'Its last 20 messages did not arrive.'],
  ['UNDETERMINED', 'The proof was not found yesterday.', 'Runs continue for 6 more days.'],
] as const;
const TYPE = [
  ['h1', 'Page: 36 px, 640', 'Four things to fix'],
  ['h2', 'Part: 21 px, 640', 'How to fix it'],
  ['h3', 'Entry: 17 px, 640', 'robots.txt shuts AI agents out'],
] as const;

export const TEXT_PARTS: readonly SheetPart[] = [
  {
    id: 'colour',
    name: 'Colour',
    use: 'Ink on paper. Colour belongs to results, blue to the focus.',
    avoid: 'Coloured buttons, links, charts or headings.',
    content: () => (
      <ul class="swatches">
        {COLOURS.map((colour) => (
          <li key={colour}>
            <span class={`swatch of-${colour}`}></span>
            {colour}
          </li>
        ))}
      </ul>
    ),
  },
  {
    id: 'type',
    name: 'Type',
    use: 'One family; size and weight say what belongs to what.',
    avoid: 'Capital letters, italics, or a fourth level.',
    content: () => (
      <>
        {TYPE.map(([level, name, sample]) => (
          <p key={level} class={`row apart as-${level}`}>
            <span>{sample}</span>
            <span class="soft small">{name}</span>
          </p>
        ))}
        <p class="lead">The lead of a page, 17 px, says what follows from its title.</p>
        <p>Text, 15 px, in lines of at most 68 characters.</p>
        <p class="small soft">An aside, 13 px.</p>
        <p class="mono">User-agent: OAI-SearchBot</p>
      </>
    ),
  },
  {
    id: 'score',
    name: 'Score',
    use: 'The one figure that matters; words where there is none.',
    avoid: 'A coloured figure, or a grade.',
    content: () => (
      <>
        <Score score={67} words="4 things to fix" change="6 more than in run 13" />
        <Score score={100} words="Nothing to fix" />
        <Score score={null} words="The site did not answer" change="Run 13 had 67" />
      </>
    ),
  },
  {
    id: 'host',
    name: 'Host name',
    use: 'Left to right whatever its script, with a break after each dot.',
    avoid: 'A host name in a sentence without its direction.',
    content: () => (
      <p>
        <HostName name="kilnstreet.example" />, <HostName name="速達書店.example" />,{' '}
        <HostName name={`${LONG_LABEL}.example`} />
      </p>
    ),
  },
  {
    id: 'group',
    name: 'Group and tabs of a page',
    use: 'Name and meaning in the gutter, rows at the right.',
    avoid: 'A group in a group.',
    content: () => (
      <>
        <TabBar
          label="Pages of the sample"
          at="/_components"
          links={[
            ['/_components', 'Latest run'],
            ['/checks', 'Runs'],
          ]}
        />
        <Group level="h3" title="Shut out" meaning="Agents are turned away.">
          <p>robots.txt shuts AI agents out</p>
        </Group>
      </>
    ),
  },
  {
    id: 'marks',
    name: 'Marks, chips and icons',
    use: 'A mark has a name for people who do not see it; an icon stands next to a word.',
    avoid: 'The word “Failed” next to each mark, or an icon alone.',
    content: () => (
      <>
        <p class="row">
          {(['PASS', 'FAIL', 'UNDETERMINED', 'NOT_APPLICABLE'] as const).map((result) => (
            <Mark key={result} result={result} />
          ))}
          <span class="chip">accepted</span>
          <span class="chip is-p">2 fixed</span>
          <span class="chip is-f">New in run 14</span>
          <span class="chip is-u">No answer: 503</span>
        </p>
        <ul class="icons">
          {ICON_NAMES.map((name) => (
            <li key={name}>
              <Icon name={name} /> {name}
            </li>
          ))}
        </ul>
      </>
    ),
  },
  {
    id: 'notes',
    name: 'Notes',
    use: 'Outcome in bold, then the consequence; they stay.',
    avoid: 'Toasts and dialogs.',
    content: () => (
      <>
        <Notice>The schedule is saved.</Notice>
        {NOTES.map(([result, outcome, consequence]) => (
          <Callout key={result} result={result}>
            <b>{outcome}</b> {consequence}
          </Callout>
        ))}
      </>
    ),
  },
  {
    id: 'code',
    name: 'Code',
    use: 'Dark: take it along. Light: what was seen, under a line that says whose words.',
    avoid: 'The words of a site without that line.',
    content: () => (
      <>
        <Snippet text="curl -sS https://kilnstreet.example/robots.txt" label="a command" />
        <div class="code lite">
          <p class="whose">
            <span>The words of kilnstreet.example</span>
            <span>line 6</span>
          </p>
          <pre>
            <code>
              User-agent: OAI-SearchBot{'\n'}
              <span class="bad">Disallow: /</span>
            </code>
          </pre>
        </div>
      </>
    ),
  },
];
