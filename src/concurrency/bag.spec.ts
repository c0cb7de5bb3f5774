import { describe, expect, it } from '@jest/globals';
import { Bag } from './bag.js';

describe('a bag', () => {
  it('has what was added and not removed, in whatever order it is removed', () => {
    const bag = new Bag<string>();
    const remove = new Map(['a', 'b', 'c', 'd'].map((item) => [item, bag.add(item)]));
    remove.get('b')!();
    remove.get('d')!();
    expect([...bag].sort()).toEqual(['a', 'c']);
    const removeAgain = bag.add('b');
    remove.get('a')!();
    remove.get('c')!();
    expect([...bag]).toEqual(['b']);
    removeAgain();
    expect([...bag]).toEqual([]);
  });
});
