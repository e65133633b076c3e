import type { JSX } from 'preact';
import { SCAN_PATHS, wayToAccount } from '../server/paths.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { FREE, ScanForm } from '../html/scan-form.js';
import { shortNameOf } from '../../scanner/report/pins.js';
import { Legend, OnePin } from '../html/pins.js';
import { checkHref } from '../html/result.js';
import { Snippet } from '../html/text.js';
import type { Page } from '../server/page.js';
import type { Facts } from './facts.js';
import {
  FOR_AGENTS,
  FOR_DEPLOYMENTS,
  HOME_HEADING,
  homeLead,
  mcpSettings,
  PLANS,
  PROMISES,
  runCommand,
} from './home.js';
import { groupByPillar } from './pillars.js';
import { SampleReport } from './sample-report.js';

export function homePage(facts: Facts): Pick<Page, 'header' | 'main' | 'notices'> {
  return {
    notices: { 'account-deleted': 'Your account, its sites and all of their runs are deleted.' },
    header: (
      <div class="w hero">
        <div>
          <h1>{HOME_HEADING}</h1>
          <p class="lead">{homeLead(facts)}</p>
          <ScanForm action={SCAN_PATHS.form} hint={FREE} />
        </div>
        <SampleReport checks={facts.checks} />
      </div>
    ),
    main: (
      <>
        <Board checks={facts.checks} />
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
        <Commands {...facts} />
      </>
    ),
  };
}

/** It has failed, so that there is one to see. */
const FALLEN = 'C-LLMS-03';

/** The lock with the name of every pin. */
function Board({ checks }: Pick<Facts, 'checks'>): JSX.Element {
  return (
    <section class="w band">
      <h2>{countOf(checks.length, 'pin')}. When they line up, the lock opens.</h2>
      <p class="lead">
        One pin for each check. A failure drops out of line, so you see at a glance what keeps agents out.
      </p>
      <div class="board">
        {groupByPillar(checks).map(({ name, subject, checks: members }) => (
          <div key={name}>
            <ul>
              {members.map(({ id, title, scored }) => (
                <li key={id}>
                  <a href={checkHref(id)} title={title}>
                    <OnePin state={id === FALLEN ? 'FAIL' : 'PASS'} scored={scored} />
                    {shortNameOf(id)}
                  </a>
                </li>
              ))}
            </ul>
            <h3>{name}</h3>
            <p>{subject}</p>
          </div>
        ))}
      </div>
      <Legend />
    </section>
  );
}

function Commands({ publicUrl, isSignUpOpen }: Pick<Facts, 'publicUrl' | 'isSignUpOpen'>): JSX.Element {
  const [path, label] = wayToAccount(isSignUpOpen);
  return (
    <section class="w band halves">
      <div>
        <h2>For agents</h2>
        <p class="soft">{FOR_AGENTS}</p>
        <Snippet text={mcpSettings(publicUrl)} label="settings of an MCP client" />
      </div>
      <div>
        <h2>For deployments</h2>
        <p class="soft">{FOR_DEPLOYMENTS}</p>
        <Snippet text={runCommand(publicUrl)} label="start a run over the API" />
        <p class="soft small">{PLANS}</p>
        <a class="btn quiet" href={path}>
          {label}
        </a>
      </div>
    </section>
  );
}
