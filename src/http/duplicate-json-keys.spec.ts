import { describe, expect, it } from '@jest/globals';
import { findDuplicateKey } from './duplicate-json-keys.js';

describe('findDuplicateKey', () => {
  it.each<[string, string | undefined]>([
    ['{}', undefined],
    ['{"a":1,"b":1}', undefined],
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"a" :1 , "a"\n:2}', 'a'],
    ['{"":1,"":2}', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"a":{"a":1}}', undefined],
    ['[{"a":1},{"a":1}]', undefined],
    ['{"a":[{"b":1,"c":[]}],"b":{"c":"a"}}', undefined],
    ['{"a":[{"b":1,"c":[],"b":0}]}', 'b'],
    ['{"a":"a","b":"\\"a\\":","c":"{\\"a\\":1"}', undefined],
    ['{"a\\"":1,"a\\"":2}', 'a"'],
    ['{"a\\\\":1,"a\\\\":2}', 'a\\'],
    ['{"a":"\\\\","b":"\\\\\\":","c":1}', undefined],
    ['{"a":"\\\\","b":"\\\\\\":","b":1}', 'b'],
    ['["a","a"]', undefined],
    ['"a"', undefined],
  ])('%s', (json, name) => {
    expect(findDuplicateKey(json, JSON.parse(json))).toBe(name);
  });
});
