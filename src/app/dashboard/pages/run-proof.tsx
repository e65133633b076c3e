import type { JSX } from 'preact';
import type { RunProof } from '../../runs/run-chain.js';
import { Fold } from '../../../web/kit/components/fold.js';
import { Callout } from '../../../web/kit/components/text.js';

/** A reader of a run that does not match its digest has to know it first. */
export function Doubt({ proof: { run, supplement } }: { readonly proof: RunProof }): JSX.Element | null {
  if (run.state !== 'broken' && supplement.state !== 'broken') return null;
  return (
    <Callout result="FAIL" role="note">
      <b>This run may have been changed since it was stored:</b>{' '}
      {run.state === 'broken'
        ? 'it does not match its digest'
        : 'its notes, its gains or its release do not match their digest'}
      . The operator of the service has been told.
    </Callout>
  );
}

interface ProofProps {
  readonly proof: RunProof;
  readonly release: string | null;
}

/** Which release judged it, and what proves later that it was not changed. */
export function Proof({ proof: { run, supplement }, release }: ProofProps): JSX.Element | null {
  const isProven = run.state === 'proven' && supplement.state !== 'broken';
  if (release === null && !isProven) return null;
  return (
    <Fold title={isProven ? 'Proof that nothing was changed' : 'Which version judged it'}>
      <div class="small soft">
        {release !== null && <p>Version {release} of this service judged it.</p>}
        {isProven && (
          <>
            <p>
              The digest of this run and all runs before it is <code>{run.digest}</code>. Write it down: it proves later
              that none of them was changed.
            </p>
            {supplement.state === 'proven' && (
              <p>
                The digest of its notes, its gains and its version is <code>{supplement.digest}</code>.
              </p>
            )}
            {supplement.state === 'uncovered' && (
              <p>The digest does not cover the notes and gains of this run, which are older than theirs.</p>
            )}
          </>
        )}
      </div>
    </Fold>
  );
}
