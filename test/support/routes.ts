import type { INestApplication } from '@nestjs/common';
import type { ExpressJsonAdapter } from '../../src/http/express-adapter.js';

/** Every route of a server but the catch-all, e.g. `get /api/v2/directory/users/:id`. */
export const expressRoutes = (app: INestApplication): string[] =>
  (app.getHttpAdapter() as unknown as ExpressJsonAdapter).routes.layers.flatMap(
    ({ route: { path, methods } }) => Object.keys(methods).map((method) => `${method} ${path}`),
  );
