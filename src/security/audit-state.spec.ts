import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { presentState } from './audit-state.js';

const present = (state: unknown): unknown => JSON.parse(presentState(state));

describe('presentState', () => {
  it('keeps a small state as it is, long texts included', () => {
    const state = { description: 'x'.repeat(900), active: true };
    expect(present(state)).toEqual(state);
  });

  it('cuts only the long texts of a larger state', () => {
    expect(present({ title: 'News', body: 'x'.repeat(20_000), date: null })).toEqual({
      title: 'News',
      body: expect.stringMatching(/^x{200}… \(20000 characters, SHA-256 [\da-f]{64}\)$/),
      date: null,
    });
  });

  it('cuts a list of many short values as JSON', () => {
    const members = Array.from({ length: 200 }, (_, at) => ({
      id: String(at),
      uri: `/users/${at}`,
    }));
    expect(present({ label: 'All', members })).toEqual({
      label: 'All',
      members: expect.stringMatching(
        /^\[\{"id":"0","uri":"\/users\/0"\},.*… \(\d+ characters, SHA-256 [\da-f]{64}\)$/,
      ),
    });
  });

  it('cuts a state of very many attributes as a whole', () => {
    const names = Array.from({ length: 500 }, (_, at) => [`attribute${at}`, 'value']);
    expect(present(Object.fromEntries(names))).toEqual({
      cut: expect.stringMatching(/^\{"attribute0":"value",.*SHA-256 [\da-f]{64}\)$/),
    });
  });

  it('never has more than 4 KiB, whatever is in it', () => {
    const text = fc
      .tuple(fc.string({ unit: 'binary', maxLength: 20 }), fc.nat({ max: 300 }))
      .map(([piece, times]) => piece.repeat(times));
    const value = fc.oneof(text, fc.array(text, { maxLength: 5 }), fc.integer());
    const state = fc.dictionary(text, value, { maxKeys: 12 });
    fc.assert(
      fc.property(state, (given) => {
        expect(Buffer.byteLength(presentState(given))).toBeLessThanOrEqual(4096);
      }),
      { numRuns: 50 },
    );
  });
});
