import { guesses } from './guesses.js';
import { identityProvider } from './identity-provider.js';
import { revocation } from './revocation.js';
import { sameAnswers } from './same-answers.js';
import { secrets } from './secrets.js';
import { timing } from './timing.js';
/** Section 4B: who gets in. */
export const authentication = async (scale, report) => {
    for (const part of [sameAnswers, guesses, secrets, revocation, identityProvider, timing])
        await part(scale, report);
};
//# sourceMappingURL=index.js.map