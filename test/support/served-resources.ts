import { allResources, type Resource } from '../../src/resources/resource.js';

/** Resources that have routes of their own: those with an address. */
export const servedResources = (): Resource[] =>
  allResources().filter(({ definition }) => !definition.withoutUri);
