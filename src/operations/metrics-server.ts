import cluster from 'node:cluster';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AggregatorRegistry, Registry } from 'prom-client';
import { Config } from '../base/config/config.js';
import { readConnections } from '../http/connection-reader.js';
import { serializePipelined } from '../http/pipelined-requests.js';
import { Metrics } from './metrics.js';

const PATH = '/metrics';

/**
 * Serves the metrics on a separate port, without a token and without the IP allowlist. Every client that reaches the
 * port may read them, so it listens on METRICS_HOST, by default loopback.
 * @param read returns the metrics in the format of Prometheus
 * @throws Error when the port is taken; its `variable` names METRICS_PORT
 */
export async function listenForMetrics(
  { env }: Config,
  read: () => Promise<string>,
): Promise<Server> {
  let reading: Promise<string> | undefined;
  // Concurrent calls share a reading, which takes some milliseconds of the process.
  const readOnce = (): Promise<string> => (reading ??= read().finally(() => (reading = undefined)));
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.url?.split('?')[0] !== PATH) {
      response.writeHead(404).end();
      return;
    }
    readOnce().then(
      (text) => response.setHeader('Content-Type', Registry.PROMETHEUS_CONTENT_TYPE).end(text),
      () => response.writeHead(500).end(),
    );
  };
  // A request without a Host, which Node would answer itself, waits like any other.
  const server = createServer({ requireHostHeader: false }, (request, response) =>
    serializePipelined(request, response, () => answer(request, response)),
  );
  readConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(Object.assign(error, { variable: 'METRICS_PORT', host: 'METRICS_HOST' })),
    );
    server.listen(env.METRICS_PORT, env.METRICS_HOST, resolve);
  });
  return server;
}

/** In the first of several processes: the sum of the metrics of all workers. */
export function listenForWorkers(config: Config): Promise<Server> {
  const all = new AggregatorRegistry();
  return listenForMetrics(config, () => all.clusterMetrics());
}

/** Serves the metrics of this process on their own port; a worker answers the first process instead. */
@Injectable()
export class MetricsServer implements OnApplicationShutdown {
  private server: Server | undefined;

  constructor(
    private readonly config: Config,
    private readonly metrics: Metrics,
  ) {}

  /** @throws Error when the port is taken */
  async start(): Promise<void> {
    const { registry } = this.metrics;
    if (cluster.isWorker) {
      AggregatorRegistry.setRegistries(registry);
      // The worker listens for requests of the first process.
      new AggregatorRegistry();
    } else this.server = await listenForMetrics(this.config, () => registry.metrics());
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}
