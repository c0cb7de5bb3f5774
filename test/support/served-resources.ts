import { allResources, type Resource } from '../../src/resources/resource.js';

/** The resources with routes of their own, i.e. with a URI. */
export const servedResources = (): Resource[] =>
  allResources().filter(({ definition }) => !definition.withoutUri);
