import { parentPort, workerData } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';
import type { StrengthQuestion } from './password-strength.js';

/** The thread that `password-strength.ts` starts for one password: it answers with its score. */
const { password, ownWords } = workerData as StrengthQuestion;
const zxcvbn = new ZxcvbnFactory({ dictionary: { ...common, ...english }, graphs: adjacencyGraphs });
parentPort?.postMessage(zxcvbn.check(password, [...ownWords]).score);
