import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** How long failing tests of one file may take together, in milliseconds. */
const WASTE_LIMIT = 60_000;

const { exit } = process;

/** The globals of Node. Skips the rest of a file whose tests fail slowly: in a broken build each of them would wait in vain. */
export default class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  wasted = 0;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  handleTestEvent({ name, test }) {
    if (name === 'test_start' && this.wasted > WASTE_LIMIT) test.mode = 'skip';
    if (name === 'test_done' && test.errors.length > 0) this.wasted += test.duration;
  }

  getVmContext() {
    return null;
  }

  async setup() {}

  async teardown() {
    // Jest wraps it for each file.
    process.exit = exit;
  }
}
