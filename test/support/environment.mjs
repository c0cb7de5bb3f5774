import { TestEnvironment } from 'jest-environment-node';
import './code-cache.mjs';

/** How long failing tests of one file may take together, in milliseconds. */
const WASTE_LIMIT = 60_000;

/** Skips the rest of a file whose tests fail slowly: in a broken build each of them would wait in vain. */
export default class extends TestEnvironment {
  wasted = 0;

  handleTestEvent({ name, test }) {
    if (name === 'test_start' && this.wasted > WASTE_LIMIT) test.mode = 'skip';
    if (name === 'test_done' && test.errors.length > 0) this.wasted += test.duration;
  }
}
