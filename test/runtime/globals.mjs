/** What a test file imports from `@jest/globals`: the functions of the file that runs. */
const current = (name) =>
  new Proxy(() => undefined, {
    apply: (_, self, parameters) => globalThis.jestGlobals[name](...parameters),
    get: (_, key) => globalThis.jestGlobals[name][key],
  });

export const afterAll = current('afterAll');
export const afterEach = current('afterEach');
export const beforeAll = current('beforeAll');
export const beforeEach = current('beforeEach');
export const describe = current('describe');
export const expect = current('expect');
export const it = current('it');
export const jest = current('jest');
