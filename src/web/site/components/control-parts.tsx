import { Field } from '../../kit/components/form.js';
import { Icon } from '../../kit/components/icons.js';
import { Radios } from '../../kit/components/radios.js';
import { Tabs } from '../../kit/components/tabs.js';
import type { SheetPart } from './sheet-part.js';
import { TableHead } from '../../kit/components/table.js';

export const CONTROL_PARTS: readonly SheetPart[] = [
  {
    id: 'buttons',
    name: 'Buttons',
    use: 'One solid a view, the likely next act. Verbs.',
    avoid: 'An icon alone, or a disabled button without its reason.',
    content: () => (
      <>
        <p class="row">
          <button type="button">Run now</button>
          <button type="button" class="quiet">
            <Icon name="again" />
            Check again
          </button>
          <button type="button" class="bare">
            Cancel
          </button>
          <button type="button" class="danger">
            Remove the site
          </button>
          <button type="button" class="tight">
            Small
          </button>
          <button type="button" class="is-focus">
            In focus
          </button>
          <button type="button" disabled>
            Run now
          </button>
          <span class="soft small">10 of 10 runs used today</span>
        </p>
      </>
    ),
  },
  {
    id: 'fields',
    name: 'Fields',
    use: 'Label, hint, field, what was wrong. What was typed stays.',
    avoid: 'A placeholder as the label.',
    content: () => (
      <>
        <Field name="sheet-host" label="Host name" hint="A page’s address is taken as its site." value="example.com" />
        <Field
          name="sheet-wrong"
          label="Host name"
          value="localhost"
          errors={{ 'sheet-wrong': 'This is not on the public internet.' }}
        />
        <Radios
          name="sheet-often"
          legend="How often"
          value="weekly"
          options={[
            { value: 'off', label: 'Off' },
            { value: 'weekly', label: 'Every week' },
          ]}
        />
      </>
    ),
  },
  {
    id: 'tabs',
    name: 'Tabs',
    use: 'Two to five ways to do the same.',
    avoid: 'Different things, or more than five.',
    content: () => (
      <Tabs
        label="Server"
        name="sheet-server"
        panels={[
          ['nginx', <p>Add a location.</p>],
          ['Apache', <p>Add a rewrite.</p>],
        ]}
      />
    ),
  },
  {
    id: 'table',
    name: 'Table',
    use: 'Hairlines, figures at the right, cards on phones.',
    avoid: 'Stripes, or a table for what is not one.',
    content: () => (
      <table class="cards">
        <caption>Two sites</caption>
        <TableHead columns={[['Site'], ['Score', 'r', { href: '#table', order: 'descending' }]]} />
        <tbody>
          {[
            ['kilnstreet.example', '67'],
            ['velo-werk.example', '100'],
          ].map(([host, score]) => (
            <tr key={host}>
              <th scope="row">{host}</th>
              <td class="r big c-score">{score}</td>
            </tr>
          ))}
        </tbody>
      </table>
    ),
  },
];
