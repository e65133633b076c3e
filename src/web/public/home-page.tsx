import { countOf } from '../../scanner/artifacts/counts.js';
import { shortNameOf } from '../../scanner/report/pins.js';
import { Legend, OnePin } from '../html/pins.js';
import { ADDRESSES, checkHref } from '../server/paths.js';
import { FREE_HINT, ScanForm } from '../html/form.js';
import { Snippet } from '../html/text.js';
import type { Page } from '../server/page.js';
import type { PublicDeps } from './long-page.js';
import { groupByPillar } from './checks.js';
import { SampleReport } from './sample.js';

const PROMISES = [
  [
    'A failure can be repeated',
    'Each one names the request, the answer and the line, so that you or a developer can see the same thing.',
  ],
  [
    'No guesses',
    'If we cannot tell, the check is undetermined, not failed. What does not apply to your site is left out of the score.',
  ],
  ['A fix takes seconds to prove', 'Fix it, press Check again, and that one check runs. No waiting for the next scan.'],
] as const;

export function homePage({ checks, publicUrl }: PublicDeps): Pick<Page, 'header' | 'main' | 'notices'> {
  return {
    notices: { 'account-deleted': 'Your account, its sites and all of their runs are deleted.' },
    header: (
      <div class="w hero">
        <div>
          <h1>Can AI agents use your site?</h1>
          <p class="lead">
            See whether ChatGPT, Claude and Perplexity can read it. {countOf(checks.length, 'check')}; every failure
            comes with its proof and its fix.
          </p>
          <ScanForm hint={FREE_HINT} />
        </div>
        <SampleReport checks={checks} />
      </div>
    ),
    main: (
      <>
        <PinBoard checks={checks} />
        <section class="w band">
          <h2>No verdict without proof</h2>
          <div class="thirds">
            {PROMISES.map(([heading, text]) => (
              <div key={heading}>
                <h3>{heading}</h3>
                <p class="soft">{text}</p>
              </div>
            ))}
          </div>
        </section>
        <AgentSection publicUrl={publicUrl} />
      </>
    ),
  };
}

/** The one check that the pin board shows as failed. */
const FAILED_EXAMPLE = 'C-LLMS-03';

function PinBoard({ checks }: Pick<PublicDeps, 'checks'>) {
  return (
    <section class="w band">
      <h2>{countOf(checks.length, 'pin')}. When they line up, the lock opens.</h2>
      <p class="lead">
        One pin for each check. A failure drops out of line, so you see at a glance what keeps agents out.
      </p>
      <div class="board">
        {groupByPillar(checks).map(({ name, question, checks: members }) => (
          <div key={name}>
            <ul>
              {members.map(({ id, title, scored }) => (
                <li key={id}>
                  <a href={checkHref(id)} title={title}>
                    <OnePin state={id === FAILED_EXAMPLE ? 'FAIL' : 'PASS'} scored={scored} />
                    {shortNameOf(id)}
                  </a>
                </li>
              ))}
            </ul>
            <h3>{name}</h3>
            <p>{question}</p>
          </div>
        ))}
      </div>
      <Legend />
    </section>
  );
}

function AgentSection({ publicUrl }: Pick<PublicDeps, 'publicUrl'>) {
  const settings = `{ "mcpServers": { "agent-readiness": {
  "type": "http",
  "url": "${publicUrl}${ADDRESSES.mcp}"
} } }`;
  return (
    <section class="w band">
      <h2>For AI agents and developers</h2>
      <p class="soft">The same scan over MCP. No key needed.</p>
      <Snippet text={settings} label="MCP client settings" />
    </section>
  );
}
