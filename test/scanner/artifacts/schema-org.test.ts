import t from 'tap';
import { schemaOrg } from '../../../src/scanner/artifacts/schema-org.js';

t.test('types, members and properties are told apart', async (t) => {
  const { types, members, properties, release } = schemaOrg();
  t.match(release, /^\d+\.\d+$/);
  t.ok(types.has('Organization') && types.has('3DModel') && types.has('Text'));
  t.ok(members.has('InStock') && members.has('Monday'));
  t.ok(properties.has('name') && properties.has('additionalType'));
  t.ok(types.has('ConferenceEvent') && properties.has('hasCertification'), 'pending terms are in');
  t.ok(types.has('Credential') && properties.has('jobDuration'), 'what came after the pinned release is in');
  for (const name of ['name', 'InStock', 'constructor', '__proto__']) t.notOk(types.has(name), name);
  for (const name of ['Organization', 'hasOwnProperty', '__proto__']) t.notOk(properties.has(name), name);
});

t.test('a type is every one of its supertypes', async (t) => {
  const { isA } = schemaOrg();
  t.ok(isA('Restaurant', 'LocalBusiness') && isA('Restaurant', 'Organization') && isA('Restaurant', 'Place'));
  t.ok(isA('Product', 'Product'));
  t.notOk(isA('Organization', 'LocalBusiness'));
  t.notOk(isA('constructor', 'Thing'), 'an unknown type is nothing else');
});

t.test('a range is reduced to kinds of value', async (t) => {
  const { kindsOf } = schemaOrg();
  t.same(kindsOf('name'), ['text']);
  t.same(kindsOf('price'), ['text'], 'Number or Text');
  t.same(kindsOf('startDate'), ['date']);
  t.same(kindsOf('image'), ['node', 'url']);
  t.same(kindsOf('reviewCount'), ['number']);
  t.same(kindsOf('no such property'), ['text']);
});
