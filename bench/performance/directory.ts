import { groups } from '../../src/directory/group.resource.js';
import { organizations } from '../../src/directory/organization.resource.js';
import { users } from '../../src/directory/user.resource.js';
import { connectLinks } from '../../src/resources/connect-links.js';
import type { Resource } from '../../src/resources/resource.js';

/** Users and the resources that they link, with their links connected. */
export function connectDirectory(): Resource[] {
  const directory = [users, organizations, groups];
  connectLinks(directory);
  return directory;
}
