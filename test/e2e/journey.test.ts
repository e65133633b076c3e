import { testJourneys } from './journey.js';

testJourneys('with a mouse', 'without script, by keyboard');
