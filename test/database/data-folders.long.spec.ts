import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { expectUp, noDatabaseIn, ready, useOwnFolder } from '../support/own-folder.js';

/** Where `npm start` keeps its embedded database. */

const folder = useOwnFolder();

describe('npm start without a database', () => {
  it('runs in two folders at once, but not twice in one', async () => {
    const other = join(folder.path(), 'other');
    mkdirSync(other);
    const [one, two] = [folder.start(), folder.start({}, other)];
    await Promise.all([ready(one), ready(two)]);
    const again = folder.start();
    expect(await again.ended).toBe(1);
    expect(again.messages()).toMatch(/already in use by process \d+/);
    for (const run of [one, two]) run.child.kill('SIGINT');
    expect(await Promise.all([one.ended, two.ended])).toEqual([0, 0]);
    await noDatabaseIn(other);
  });

  it('runs in a folder whose path is too long for a socket', async () => {
    const deep = join(folder.path(), 'x'.repeat(60), 'y'.repeat(60));
    mkdirSync(deep, { recursive: true });
    const run = folder.start({}, deep);
    await expectUp(await ready(run));
    run.child.kill('SIGINT');
    expect(await run.ended).toBe(0);
    await noDatabaseIn(deep);
  });
});
