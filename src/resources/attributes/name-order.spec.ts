import { describe, expect, it } from '@jest/globals';
import { inOrderOfNames } from './name-order.js';

describe('the order of names', () => {
  it.each([
    ['[{"b":1,"a":[{"d":null,"c":"x"}]},2]', '[{"a":[{"c":"x","d":null}],"b":1},2]'],
    ['{"__proto__":{"z":1,"y":2},"B":0}', '{"B":0,"__proto__":{"y":2,"z":1}}'],
    ['{"b":1,"10":2,"9":3}', '{"9":3,"10":2,"b":1}'],
    ['"text"', '"text"'],
  ])('turns %s into %s', (given, ordered) => {
    expect(JSON.stringify(inOrderOfNames(JSON.parse(given)))).toBe(ordered);
  });

  it('returns a sorted value unchanged', () => {
    const value = { a: [{ b: 1, c: 2 }], d: null };
    expect(inOrderOfNames(value)).toBe(value);
  });
});
