import { describe, expect, it } from '@jest/globals';
import { excludes } from './accept.js';

describe('excludes (RFC 9110 section 12.5.1)', () => {
  it.each<[string | undefined, boolean]>([
    [undefined, false],
    ['', false],
    [',', false],
    ['*/*', false],
    ['*', false],
    ['application/json', false],
    ['APPLICATION/JSON', false],
    ['application/*', false],
    ['application/json;q=0.001', false],
    ['application/json;q=.9', false],
    ['application/json;q=0.9000', false],
    ['application/json; charset=utf-8', false],
    ['application/json;q=2', false],
    ['application/json;q=x', false],
    ['application/json;q=', false],
    ['application/json;q=-0', false],
    ['text/html, */*;q=0.1', false],
    ['*/*;q=0, application/json', false],
    ['application/json;q=0, application/json', false],
    ['text/html', false],
    ['text/html;q=0', false],
    ['application/jsonx;q=0', false],
    ['application/json;q=0', true],
    ['application/json ; Q = 0.', true],
    ['application/json;q=.0', true],
    ['*/*;q=0', true],
    ['*;q=0', true],
    ['application/json;q=0, */*', true],
    ['application/*;q=0, */*', true],
  ])('%j: %j', (accept, excluded) => {
    expect(excludes(accept, ['application/json'])).toBe(excluded);
  });

  it('refuses only where every type is excluded', () => {
    const types = ['application/json-patch+json', 'application/json'];
    expect(excludes('application/json-patch+json, application/json;q=0', types)).toBe(false);
    expect(excludes('application/json;q=0', types)).toBe(true);
    expect(excludes('*/*;q=0', types)).toBe(true);
  });

  it('refuses nothing where no type is negotiated', () => {
    expect(excludes('*/*;q=0', [])).toBe(false);
  });
});
