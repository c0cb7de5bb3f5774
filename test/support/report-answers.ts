import { afterAll, afterEach } from '@jest/globals';
import { reportAnswers } from './every-answer.js';

/** Fails the test that was running when an answer broke its description. */
afterEach(reportAnswers);
afterAll(reportAnswers);
