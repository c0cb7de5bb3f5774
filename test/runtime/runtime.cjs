const { register } = require('node:module');
const { performance } = require('node:perf_hooks');
const { pathToFileURL } = require('node:url');

/** Where jest-circus keeps its event handlers. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

/** The description of the symbol of its state. */
const STATE = 'JEST_STATE_SYMBOL';

register(pathToFileURL(require.resolve('./hooks.mjs')));
process.setSourceMapsEnabled(true);

const bound = (object, ...names) =>
  Object.fromEntries(names.map((name) => [name, object[name].bind(object)]));

/**
 * Jest's `runtime` without a VM context and a module registry for each test file: Node itself loads the modules, so that
 * a worker evaluates the server once for all its files. Module state is therefore shared between the files of a worker.
 * It has the members that jest-runner and jest-circus call.
 */
class SharedRuntime {
  constructor(config, environment) {
    this.setupFiles = config.setupFilesAfterEnv;
    this.mocker = environment.moduleMocker;
    this.timers = environment.fakeTimersModern;
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    const { href } = pathToFileURL(path);
    // Jest has installed a formatter of stacks that knows nothing of Node's source maps.
    Error.prepareStackTrace = undefined;
    // A setup file adds its hooks to each test file.
    await import(this.setupFiles.includes(path) ? `${href}?${performance.now()}` : href);
  }

  /** jest-circus: each file begins with a state and handlers of its own. */
  requireInternalModule(path) {
    delete require.cache[path];
    delete globalThis[EVENT_HANDLERS];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    const jest = {
      ...bound(this.mocker, 'fn', 'spyOn', 'replaceProperty', 'restoreAllMocks'),
      ...bound(this.timers, 'useFakeTimers', 'useRealTimers'),
      ...bound(this.timers, 'advanceTimersByTime', 'advanceTimersByTimeAsync'),
    };
    globalThis.jestGlobals = { ...globals, jest };
  }

  teardown() {
    this.mocker.restoreAllMocks();
    this.timers.dispose();
    // The state of jest-circus holds all that the tests of the file have used.
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (symbol.description === STATE) delete globalThis[symbol];
  }

  getSourceMaps() {}

  getAllCoverageInfoCopy() {}

  enterTestCode() {}

  leaveTestCode() {}
}

module.exports = SharedRuntime;
