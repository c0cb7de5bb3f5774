import {
  type Express,
  type IRouter,
  type NextFunction,
  type Request,
  type Response,
  Router,
} from 'express';

/** A route of Express's router. */
export interface RouteLayer {
  route: { path: string; methods: Record<string, boolean> };
  match(path: string): boolean;
}

/** The methods of an adapter that register a route. */
const METHODS = ['all', 'delete', 'get', 'head', 'patch', 'post', 'put'] as const;
type Register = Pick<IRouter, (typeof METHODS)[number]>;

/** The catch-all route, which is no route of its own. */
export const EVERYTHING = '/*splat';

/** The first segments of a path, which tell most routes apart. */
const PREFIX = /^(?:\/[^/]+){0,4}/;
const prefixOf = (path: string): string => PREFIX.exec(path)![0];

/** Whether a prefix stands for more than one text. */
const VARIES = /[:*{]/;

/**
 * Routes by the first segments of their paths, each prefix with a router of its own: one router would compare a request
 * with more than two hundred routes, one after another, 7 µs of 60.
 */
export class RoutesByPrefix {
  private readonly routers = new Map<string, Router>();

  /** @param express has the routes whose prefix varies, and is asked for what no prefix has */
  constructor(private readonly express: Express) {}

  /** The methods that register a route, for an adapter of Nest. */
  get registering(): Register {
    const register = (method: keyof Register) => (path: string, handler: never) =>
      this.routerOf(path)[method](path, handler);
    return Object.fromEntries(METHODS.map((method) => [method, register(method)])) as never;
  }

  /** Every route but the catch-all. */
  get layers(): RouteLayer[] {
    return [this.express.router, ...this.routers.values()].flatMap(({ stack }) =>
      (stack as unknown as Partial<RouteLayer>[]).filter(
        (layer): layer is RouteLayer =>
          layer.route !== undefined && layer.route.path !== EVERYTHING,
      ),
    );
  }

  private routerOf(path: string): IRouter {
    const prefix = prefixOf(path);
    if (VARIES.test(prefix)) return this.express;
    // After all middleware, before the first route.
    if (this.routers.size === 0) this.express.use(this.route);
    let router = this.routers.get(prefix);
    if (!router) {
      router = Router({ caseSensitive: this.express.enabled('case sensitive routing') });
      this.routers.set(prefix, router);
    }
    return router;
  }

  private readonly route = (request: Request, response: Response, next: NextFunction): void => {
    const router = this.routers.get(prefixOf(request.path));
    // A router without a route for OPTIONS answers it itself, instead of the catch-all route.
    if (router && request.method !== 'OPTIONS') router(request, response, next);
    else next();
  };
}
