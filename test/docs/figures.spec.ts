import { spawnSync } from 'node:child_process';
import { expect, it } from '@jest/globals';

it('the tables of the guides show the figures of the checked-in benchmark report', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/figures.mjs', '--check'], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
});
