import { describe, expect, it } from '@jest/globals';
import { Batcher } from './batcher.js';

/** Work that records its batches and continues on request. */
function workshop() {
  const pieces: number[][] = [];
  const ends: (() => void)[] = [];
  const batches = new Batcher(async (items: number[]) => {
    pieces.push(items);
    await new Promise<void>((done) => ends.push(done));
    return items.map((item) => item * 10);
  });
  const begun = async (count: number) => {
    while (pieces.length < count) await new Promise((done) => setImmediate(done));
  };
  return { pieces, ends, batches, begun };
}

describe('batches', () => {
  it('process items that arrive during two other batches together, each with its own result', async () => {
    const { pieces, ends, batches, begun } = workshop();
    const first = [1, 2].map((item) => batches.run(item));
    await begun(1);
    const second = batches.run(3);
    await begun(2);
    const third = [4, 5, 6].map((item) => batches.run(item));
    ends[1]!();
    expect(await second).toBe(30);
    await begun(3);
    expect(pieces).toEqual([[1, 2], [3], [4, 5, 6]]);
    ends[0]!();
    ends[2]!();
    expect(await Promise.all([...first, ...third])).toEqual([10, 20, 40, 50, 60]);
  });

  it('are of 64 at most', async () => {
    const { pieces, ends, batches, begun } = workshop();
    const all = Array.from({ length: 65 }, (_, item) => batches.run(item));
    await begun(2);
    expect(pieces.map(({ length }) => length)).toEqual([64, 1]);
    for (const end of ends) end();
    expect(await Promise.all(all)).toHaveLength(65);
  });

  it('refuse at once when too many wait', async () => {
    const { ends, batches, begun } = workshop();
    const all = Array.from({ length: 18 * 64 }, (_, item) => batches.run(item));
    await expect(batches.run(0)).rejects.toMatchObject({ status: 503 });
    for (let piece = 1; piece <= 18; piece++) {
      await begun(piece);
      ends[piece - 1]!();
    }
    expect(await Promise.all(all)).toHaveLength(18 * 64);
  });

  const failing = (code: string) => {
    const pieces: number[][] = [];
    const batches = new Batcher((items: number[]) => {
      pieces.push(items);
      if (items.includes(2)) return Promise.reject(Object.assign(new Error('no'), { code }));
      return Promise.resolve(items);
    });
    return { pieces, batches };
  };

  it('do the others when one is to blame for a failure', async () => {
    const { pieces, batches } = failing('23503');
    const [one, two, three] = await Promise.allSettled([1, 2, 3].map((item) => batches.run(item)));
    expect(one).toEqual({ status: 'fulfilled', value: 1 });
    expect(two).toMatchObject({ status: 'rejected', reason: { code: '23503' } });
    expect(three).toEqual({ status: 'fulfilled', value: 3 });
    expect(pieces).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  it('fail together when none of them is', async () => {
    const { pieces, batches } = failing('57P01');
    const outcomes = await Promise.allSettled([1, 2, 3].map((item) => batches.run(item)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(pieces).toEqual([[1, 2, 3]]);
  });

  it('try the only one of a piece once', async () => {
    const { pieces, batches } = failing('23503');
    await expect(batches.run(2)).rejects.toMatchObject({ code: '23503' });
    expect(pieces).toEqual([[2]]);
  });
});
