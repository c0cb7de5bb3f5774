import { noClusterBecause } from '../support/patroni-cluster.js';
import { startClusteredPortal } from '../support/clustered-portal.js';

/** `npm run cluster`: runs the portal of docs/scaling.md on this machine until Ctrl-C. */

const missing = noClusterBecause();
if (missing !== undefined) {
  process.stderr.write(`The cluster cannot run here: ${missing}\n`);
  process.exit(1);
}
let isUp = false;
// A Ctrl-C before everything runs ends the process, and with it what was started.
const interrupted = new Promise<void>((done) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => (isUp ? done() : process.exit(130)));
});
const portal = await startClusteredPortal();
isUp = true;
const { cluster, entrance, database } = portal;
process.stdout.write(`
The portal runs on three nodes of PostgreSQL; Ctrl-C stops and removes it.

  entrance   http://127.0.0.1:${entrance} (HAProxy, two servers)
  database   ${cluster.urlAt(`127.0.0.1:${database}`)} (HAProxy, the primary)
${cluster.nodes.map(({ name, address }) => `  ${name}      PostgreSQL ${address}:5432, Patroni http://${address}:8008/cluster`).join('\n')}

${cluster.controlLine} list
${await cluster.control('list')}
`);
await interrupted;
await portal.stop();
