import { testJourneys } from './journey.js';

testJourneys('by keyboard alone', 'on a narrow phone');
