import t from 'tap';

t.test('a list is matched whole, an object by the members that are named', async (t) => {
  t.match(['a', 'bc'], ['a', /^b/]);
  t.match({ list: [{ a: 1, b: 2 }], other: 1 }, { list: [{ a: 1 }] });
  t.match([1, 2], Array);
  t.notMatch(['a'], []);
  t.notMatch(['a', 'b'], ['a']);
  t.notMatch(['a'], ['a', 'b']);
  t.notMatch({ list: [[1], [2, 3]] }, { list: [[1], [2]] });
});
