import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reverse proxy that serves the server below one path only. */
export interface PathProxy {
  origin: string;
  /** The requested paths outside its own. */
  strays: string[];
  close(): void;
}

/** Forwards requests below a path unchanged and answers 404 to all others. */
export async function startPathProxy(path: string, port: number): Promise<PathProxy> {
  const strays: string[] = [];
  const proxy = createServer((request, response) => {
    const { url = '', method, headers } = request;
    if (!url.startsWith(`${path}/`)) {
      strays.push(url);
      response.writeHead(404).end();
      return;
    }
    const onward = httpRequest(
      { host: '127.0.0.1', port, path: url, method, headers },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    strays,
    close: () => {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}
