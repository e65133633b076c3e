import { Mast } from '../../kit/components/mast.js';
import type { SitePart } from '../deps.js';
import { SideNav } from '../public/long-page.js';
import { SHEET } from './sheet.js';

const PATH = '/_components';

/** The components of the design on one page, for the people who change them: with the demonstration alone. */
export const addComponentsRoute: SitePart = (router, { isDemo = false, sendPage }) => {
  if (!isDemo) return;
  router.get(PATH, (ctx) => {
    sendPage(ctx, {
      title: 'Components',
      styles: ['components.css', 'compare.css', 'charts.css'],
      mast: (
        <Mast title="Components" lead="Every part and its states. Switch your system’s theme to see the other one." />
      ),
      main: (
        <div class="w ref">
          <SideNav label="Components">
            <ul>
              {SHEET.map(({ id, name }) => (
                <li key={id}>
                  <a href={`#${id}`}>{name}</a>
                </li>
              ))}
            </ul>
          </SideNav>
          <div>
            {SHEET.map(({ id, name, use, avoid, content }) => (
              <section key={id} id={id} class="sheetpart">
                <h2>{name}</h2>
                <p class="rule">
                  <span>
                    <b>Do.</b> {use}
                  </span>
                  <span>
                    <b>Don’t.</b> {avoid}
                  </span>
                </p>
                {content()}
              </section>
            ))}
          </div>
        </div>
      ),
    });
  });
};
