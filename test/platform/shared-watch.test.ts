import t from 'tap';
import { SharedWatch } from '../../src/platform/shared-watch.js';
import { HeldTimers, until } from '../support/held-timers.js';

function prepare() {
  const timers = new HeldTimers();
  const state = { value: 'running 1', looks: 0, isAway: false };
  const watches = new SharedWatch({
    look: async () => {
      state.looks += 1;
      if (state.isAway) throw new Error('away');
      return state.value;
    },
    isOver: (value) => value === 'over',
    startTimer: timers.start,
  });
  const watch = () => {
    const heard: string[] = [];
    return { heard, stop: watches.watch('a', (value) => void heard.push(value)) };
  };
  return { timers, state, watch };
}

t.test('however many watch, one looks, and all hear of it', async (t) => {
  const { timers, state, watch } = prepare();
  const watching = Array.from({ length: 1499 }, watch);
  await until(() => timers.count === 1);
  t.equal(state.looks, 1);
  const late = watch();
  t.same(late.heard, ['running 1'], 'one that comes later hears what is known');
  state.value = 'over';
  timers.fire();
  await until(() => late.heard.length === 2);
  t.equal(state.looks, 2);
  for (const { heard } of [...watching, late]) if (heard.at(-1) !== 'over') t.fail('one did not hear of the end');
  t.equal(timers.count, 0);
  const after = watch();
  await until(() => after.heard.length === 1);
  t.equal(state.looks, 3, 'what is over is looked at again');
});

t.test('nobody looks for those who left', async (t) => {
  const { timers, state, watch } = prepare();
  const [first, second] = [watch(), watch()];
  await until(() => timers.count === 1);
  first.stop();
  first.stop();
  t.equal(timers.count, 1);
  second.stop();
  t.equal(timers.count, 0);
  watch().stop();
  await new Promise((resolve) => setImmediate(resolve));
  t.equal(timers.count, 0, 'nor for those who left during the first look');
  t.equal(state.looks, 2);
});

t.test('a look that fails is made again', async (t) => {
  const { timers, state, watch } = prepare();
  state.isAway = true;
  const { heard } = watch();
  await until(() => timers.count === 1);
  t.same(heard, []);
  state.isAway = false;
  timers.fire();
  await until(() => heard.length === 1);
  t.same(heard, ['running 1']);
});
