import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import t from 'tap';
import { memoized } from '../../../src/web/html/memoized.js';

t.test('a part is rendered once for each object and key, and stands there as before', (t) => {
  const owner = { name: '<b>' };
  let count = 0;
  const Part = memoized(
    ({ owner: { name }, at }: { owner: { name: string }; at: string }) => {
      count += 1;
      return h('i', { title: at }, name);
    },
    (props) => props.owner,
    ({ at }) => at,
  );
  const render = (at: string, of = owner) => renderToString(h('p', null, h(Part, { owner: of, at }), '&'));
  t.equal(render('1'), '<p><i title="1">&lt;b></i>&amp;</p>');
  t.equal(render('1'), '<p><i title="1">&lt;b></i>&amp;</p>');
  t.equal(count, 1);
  t.equal(render('2'), '<p><i title="2">&lt;b></i>&amp;</p>', 'another key');
  t.equal(render('2', { name: 'c' }), '<p><i title="2">c</i>&amp;</p>', 'another object');
  t.equal(count, 3);
  t.end();
});
