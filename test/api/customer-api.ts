import type { Test } from 'tap';
import type { ScanReport } from '../../src/scanner/scan/scan.js';
import type { Database } from '../../src/store/database.js';
import { addCustomer, startLiveApi } from '../support/api.js';
import { contractFaults } from '../support/contract.js';
import type { HttpAnswer, HttpRequest } from '../support/http-client.js';

/** Starts the API, and adds a customer who asks it. Rejects if an answer is not one that the document declares. */
export async function openCustomerApi(
  t: Pick<Test, 'teardown'>,
  db: Database,
  { quota = null, scan }: { readonly quota?: number | null; readonly scan?: () => Promise<ScanReport> } = {},
) {
  const api = await startLiveApi(t, db, quota, scan);
  const customer = await addCustomer(db);
  const headers = { Authorization: `Bearer ${customer.key}` };
  const pathOf = (siteId: string): string => `/api/v1/sites/${siteId}/runs`;
  const path = pathOf(customer.site.id);
  const ask = async (operationId: 'createRun' | 'getRun' | 'getLatestRun', address: string, request: HttpRequest) => {
    const answer = await api.send(address, { ...request, headers: { ...headers, ...request.headers } });
    const faults = contractFaults(operationId, answer);
    if (faults.length > 0) throw new Error(`${operationId} ${answer.status}: ${faults.join('; ')}`);
    return answer;
  };
  return {
    ...{ ...api, ...customer, headers, path },
    start: (request: HttpRequest = {}, siteId = customer.site.id): Promise<HttpAnswer> =>
      ask('createRun', pathOf(siteId), { ...request, method: 'POST' }),
    /** @param end a run number or `latest` */
    read: (end = 'latest', more: Record<string, string> = {}, siteId = customer.site.id): Promise<HttpAnswer> =>
      ask(end === 'latest' ? 'getLatestRun' : 'getRun', `${pathOf(siteId)}/${end}`, { headers: more }),
  };
}
