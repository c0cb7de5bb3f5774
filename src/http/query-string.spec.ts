import { describe, expect, it } from '@jest/globals';
import { parseQueryString } from './query-string.js';

describe('parseQueryString', () => {
  it.each<[string, [string, string[]][]]>([
    ['', []],
    ['&&', []],
    ['a=1', [['a', ['1']]]],
    ['a', [['a', ['']]]],
    ['a=', [['a', ['']]]],
    ['a=b=c', [['a', ['b=c']]]],
    [
      'a=1&b=2&a=3',
      [
        ['a', ['1', '3']],
        ['b', ['2']],
      ],
    ],
    ['a=x+y', [['a', ['x y']]]],
    ['a=%2B', [['a', ['+']]]],
    ['a=%c3%a9', [['a', ['é']]]],
    ['%61=1', [['a', ['1']]]],
    ['a=x;b=2', [['a', ['x;b=2']]]],
    ['a[]=1', [['a[]', ['1']]]],
    ['__proto__=1', [['__proto__', ['1']]]],
    ['searchIndexTop=Users%A4x', [['searchIndexTop', ['Users¤x']]]],
    ['query=%A4', [['query', ['¤']]]],
    ['searchIndexTop=Users%C2%A4x', [['searchIndexTop', ['Users¤x']]]],
    ['a=\u00c3\u00a9', [['a', ['é']]]],
    ['a=%F0%9F%98%80', [['a', ['😀']]]],
    ['a=%EF%BB%BFx', [['a', ['\ufeffx']]]],
  ])('%j', (text, expected) => {
    const latin1 = ['query', 'searchIndexTop'];
    expect([...parseQueryString(text, { latin1 })]).toEqual(expected);
  });

  it.each([
    'a=%',
    'a=%f',
    'a=%zz',
    'a=%ff',
    'query=%A4',
    'a=%c3%28',
    'a=%ed%a0%80',
    'a=%f4%90%80%80',
    'a=%00',
    '%ff=1',
  ])('refuses %j', (text) => {
    expect(() => parseQueryString(text)).toThrow(expect.objectContaining({ status: 400 }));
  });
});
