import { guesses } from './guesses.js';
import { identityProvider } from './identity-provider.js';
import { revocation } from './revocation.js';
import { sameAnswers } from './same-answers.js';
import { secrets } from './secrets.js';
import { timing } from './timing.js';
import type { Section } from '../report-row.js';

/** Section 4B: authentication. */
export const credentials: Section = async (scale, report) => {
  for (const part of [sameAnswers, guesses, secrets, revocation, identityProvider, timing])
    await part(scale, report);
};
