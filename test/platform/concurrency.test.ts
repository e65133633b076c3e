import t from 'tap';
import { SingleFlight } from '../../src/platform/concurrency.js';

t.test('whoever asks for the same shares it until it has ended', (t) => {
  const flights = new SingleFlight<number>();
  const ends: (() => void)[] = [];
  const ask = (key: string) => flights.share(key, (end) => ends.push(end));
  t.same([ask('a'), ask('a'), ask('b')], [1, 1, 2]);
  ends[0]?.();
  t.same([ask('a'), ask('b')], [3, 2], 'what has ended begins again');
  t.end();
});
