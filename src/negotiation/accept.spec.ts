import { describe, expect, it } from '@jest/globals';
import { admits } from './accept.js';

describe('admits (RFC 9110 section 12.5.1)', () => {
  it.each<[string | undefined, boolean]>([
    [undefined, true],
    ['', true],
    ['*/*', true],
    ['application/json', true],
    ['APPLICATION/JSON', true],
    ['application/*', true],
    ['application/json;q=0.001', true],
    ['application/json; charset=utf-8', true],
    ['text/html, */*;q=0.1', true],
    ['application/json;q=0', false],
    ['*/*;q=0', false],
    ['application/json;q=0, */*', false],
    ['application/*;q=0, */*', false],
    ['*/*;q=0, application/json', true],
    ['application/json;q=2', false],
    ['application/json;q=x', false],
    ['text/html', false],
    ['application/xml', false],
    ['application/jsonx', false],
    ['json', false],
    [',', false],
  ])('%j: %j', (accept, admitted) => {
    expect(admits(accept, 'application/json')).toBe(admitted);
  });
});
