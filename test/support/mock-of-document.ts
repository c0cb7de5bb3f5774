import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

/** A server that refuses what does not fit an OpenAPI document. */
export interface DocumentMock {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts Prism on a document.
 * @param extension of the document: json or yaml
 * @param upstream what answers the requests that fit; its answers must fit too. By default the document answers them
 */
export async function mockDocument(
  text: string,
  extension: string,
  upstream?: string,
): Promise<DocumentMock> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  const file = join(folder, `document.${extension}`);
  await writeFile(file, text);
  const port = await freePort();
  const program = 'node_modules/@stoplight/prism-cli/dist/index.js';
  const what = upstream === undefined ? ['mock', file] : ['proxy', file, upstream];
  const args = [program, ...what, '--errors', '-h', '127.0.0.1', '-p', String(port)];
  // Without the options of Jest, under which its modules do not load.
  const child = spawn(process.execPath, args, { stdio: 'ignore', env: { PATH: process.env.PATH } });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => void (await fetch(url)));
  return {
    url,
    close: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
