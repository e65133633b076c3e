import { ServiceError } from '../../platform/errors.js';
import {
  describeFailureForAgents,
  describeForAgents,
  type ScanToDescribe,
} from '../../scanner/report/describe-report.js';
import { queryOf, type WebContext } from './context.js';

/**
 * Answers with what a coding agent needs to fix the failures of a scan, or the one that `check` names: as plain text, which browsers
 * show. @throws ServiceError not_found when that check did not fail
 */
export function sendForAgents(ctx: WebContext, scan: ScanToDescribe): void {
  const asked = queryOf(ctx, 'check');
  const failure = scan.findings.find(({ checkId, result }) => checkId === asked && result === 'FAIL');
  if (asked !== '' && !failure) throw new ServiceError('not_found');
  ctx.set('Content-Type', 'text/plain; charset=utf-8');
  ctx.set('Cache-Control', ctx.state.viewer ? 'no-store' : 'private, no-cache');
  ctx.body = failure ? describeFailureForAgents(failure, scan) : describeForAgents(scan);
}
