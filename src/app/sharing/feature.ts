import type { Feature } from '../feature.js';
import { deleteOfMarkedSites } from '../kept.js';
import { renderPng } from './png.js';
import { ReportPreviewHandler, ResultPreviewHandler } from './preview-handlers.js';
import type { DrawPreview } from './shared-report.js';
import { REPORT_PREVIEW, sharedReportsToExport } from './shared-reports.js';
import { cleanUpSharedResults } from './shared-result-statements.js';
import { RESULT_PREVIEW, RESULT_SHARED_DAYS } from './shared-results.js';

/** What draws is loaded with the first picture. */
const draw: DrawPreview = async (report) => renderPng((await import('./pages/preview.js')).drawPreview(report));

export const sharing = {
  tables: ['shared_reports', 'shared_results'],
  closeSites: [deleteOfMarkedSites('shared_reports')],
  cleanUps: [cleanUpSharedResults],
  exportOf: sharedReportsToExport,
  pages: () => import('./pages/routes.js'),
  events: {
    report_published: 'Public report turned on',
    report_renewed: 'Public report given a new address',
    report_withdrawn: 'Public report turned off',
  },
  privacy: () => ({
    'Free scans': [
      {
        what: '**Shared result**, with a picture of it',
        why: 'To show it to anyone who has its address',
        kept: `${RESULT_SHARED_DAYS} days more`,
      },
      {
        what: '**Who shared:** how many results your IP address shared in an hour, by a hash of it, nothing else',
        why: 'To limit sharing',
        kept: '1 hour',
      },
    ],
    'Sites and runs': [
      {
        what: '**Public report:** its address, and a preview of it',
        why: 'Anyone who has it sees the score and what each check found, and no evidence. Off until you turn it on',
        kept: 'Until you turn it off',
      },
    ],
  }),
  handlers({ db, clock, onPreviewFailure: onFailure }) {
    const deps = { db, clock, draw, onFailure };
    return {
      previews: {
        [REPORT_PREVIEW]: new ReportPreviewHandler(deps),
        [RESULT_PREVIEW]: new ResultPreviewHandler(deps),
      },
    };
  },
} satisfies Feature;
