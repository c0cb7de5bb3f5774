import vm from 'node:vm';

/**
 * Each test file evaluates the whole server in a context of its own, for which V8 would parse every module again. A
 * worker keeps what it has compiled for its next files, which start a quarter sooner.
 */
const compiled = new Map();

/** Node does not find who answers `import()` in code that comes from here. */
const isKept = (code) => !/\bimport\s*\(/.test(code);

const { compileFunction, SourceTextModule } = vm;

vm.compileFunction = (code, parameters, options) => {
  if (!isKept(code)) return compileFunction(code, parameters, options);
  const cachedData = compiled.get(code);
  // V8 compiles again what it does not accept, e.g. after a test has set one of its flags.
  if (cachedData !== undefined)
    return compileFunction(code, parameters, { ...options, cachedData });
  const made = compileFunction(code, parameters, { ...options, produceCachedData: true });
  compiled.set(code, made.cachedData);
  return made;
};

/** A function, because a class cannot begin again when V8 does not accept what was kept. */
vm.SourceTextModule = function KeptModule(code, options) {
  const cachedData = compiled.get(code);
  if (cachedData !== undefined)
    try {
      return new SourceTextModule(code, { ...options, cachedData });
    } catch (error) {
      if (error.code !== 'ERR_VM_MODULE_CACHED_DATA_REJECTED') throw error;
    }
  const made = new SourceTextModule(code, options);
  if (isKept(code)) compiled.set(code, made.createCachedData());
  return made;
};
vm.SourceTextModule.prototype = SourceTextModule.prototype;
