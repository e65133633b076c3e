import type { JSX } from 'preact';
import { describeChosen, type SampledPages } from '../../scanner/artifacts/chosen-pages.js';
import { SCAN_LIMITS } from '../../scanner/artifacts/scanner.js';
import { Field } from '../html/form.js';
import { Mark } from '../html/icons.js';
import { Group } from '../html/page-header.js';
import { SidebarPart } from '../html/sidebar.js';
import type { FieldErrors } from '../server/form.js';
import { addressOf } from '../server/site-paths.js';

export const PAGES_FIELD = 'pages';

interface PagesSectionProps {
  readonly siteId: string;
  /** The chosen pages. */
  readonly paths: readonly string[];
  /** What the latest run found at its chosen pages; null if it had none. */
  readonly latest: SampledPages | null;
  /** The submitted text, if it was refused. */
  readonly typed: string;
  readonly errors: FieldErrors | null;
}

const { chosenPagesMax: MAX, otherPagesMax: USUAL } = SCAN_LIMITS;

/** Form for the pages that each run reads first. */
export function PagesSection({ siteId, paths, latest, typed, errors }: PagesSectionProps): JSX.Element {
  return (
    <>
      <Group title="Pages" meaning="read first in each run">
        <p class="soft">
          By default we check your home page and {USUAL} pages that it links to. The pages that you list here are
          checked instead; with {USUAL} or more, no others are.
        </p>
        <form method="post" action={addressOf.pages(siteId)} novalidate>
          <Field
            name={PAGES_FIELD}
            label="Pages to read first"
            hint={`Up to ${MAX}, one per line: a path such as /pricing, or the address of a page of this site.`}
            value={errors?.[PAGES_FIELD] === undefined ? paths.join('\n') : typed}
            errors={errors}
            required={false}
            isLong
            rows={MAX}
            isVerbatim
          />
          <button type="submit" class="quiet">
            Save pages
          </button>
        </form>
      </Group>
      {paths.length > 0 && <Outcomes paths={paths} latest={latest} />}
    </>
  );
}

/** What the latest run found at each page. A page that was not read fails no check. */
function Outcomes({ paths, latest }: Pick<PagesSectionProps, 'paths' | 'latest'>): JSX.Element {
  return (
    <Group title="Chosen" meaning="as the latest run found them">
      <ul class="items">
        {paths.map((path) => {
          const page = latest?.chosen.find((one) => one.path === path);
          return (
            <li key={path}>
              <Mark result={page ? (page.came === 'read' ? 'PASS' : 'UNDETERMINED') : 'NOT_APPLICABLE'} isDecorative />
              <span>
                <code>{path}</code>
                <br />
                <span class="soft small">{page ? describeChosen(page) : 'not yet: the next run reads it'}</span>
              </span>
            </li>
          );
        })}
      </ul>
    </Group>
  );
}

/** The chosen pages in the sidebar of a run. */
export function PagesPart({ pages }: { readonly pages: SampledPages | null }): JSX.Element | null {
  if (pages === null || pages.chosen.length === 0) return null;
  return (
    <SidebarPart title="Pages that you chose">
      <ul class="plain small">
        {pages.chosen.map((page, index) => (
          <li key={page.path} class="more">
            <code>{page.path}</code>
            <br />
            <span class="soft">
              {/* Findings contain no paths, and call the page by this number. */}
              {pages.chosen.length > 1 && `chosen page ${index + 1}: `}
              {describeChosen(page)}
            </span>
          </li>
        ))}
      </ul>
    </SidebarPart>
  );
}
