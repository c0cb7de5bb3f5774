import type { Type } from '@nestjs/common';
import { AppModule } from '../../src/app.module.js';
import { loadConfig } from '../../src/base/config/config.js';
import { controllersOf } from '../../src/resources/openapi/controllers-of.js';
import { type Route, routesOf } from '../../src/resources/openapi/route.js';
import { connectLinks } from '../../src/resources/connect-links.js';
import type { Resource } from '../../src/resources/resource.js';

const routesWith = (features: Type[]): Route[] =>
  routesOf(controllersOf(AppModule.with(loadConfig({}), features)));

/** Resources with a controller of their own, from the server's modules and further ones. */
export const servedResources = (features: Type[] = []): Resource[] => [
  ...new Set(routesWith(features).flatMap(({ resource }) => resource ?? [])),
];

/** Resources that a route lists, with their links connected as a running server does. */
export function listedResources(features: Type[] = []): Resource[] {
  const listed = routesWith(features).flatMap(
    ({ resource, description }) => resource ?? description?.lists ?? [],
  );
  connectLinks(listed);
  return [...new Set(listed)];
}
