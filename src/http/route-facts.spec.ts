import { describe, expect, it } from '@jest/globals';
import { JSON_PATCH_TYPE, type RouteFacts, routeFacts, USUAL_FACTS } from './route-facts.js';

/** The facts of a route that differ from the usual. */
const differences = (facts: RouteFacts): Partial<RouteFacts> =>
  Object.fromEntries(
    Object.entries(facts).filter(([name, fact]) => fact !== USUAL_FACTS[name as keyof RouteFacts]),
  );

const search = { takesTokenInQuery: true, hasSearchEnvelope: true };
const body = (rules: object) => ({ body: expect.objectContaining(rules) as unknown });

describe('the facts about a route', () => {
  it.each<[string, string, string, object]>([
    ['GET', '/api/v2/directory/users', '', {}],
    ['GET', '/health/live', '', { isProbe: true }],
    ['GET', '/health/ready?verbose', '', { isProbe: true }],
    ['GET', '/health/live/', '', { isProbe: true }],
    ['GET', '/health/ready/', '', { isProbe: true }],
    ['GET', '/health/live//', '', {}],
    ['GET', '/health/liveness', '', {}],
    ['GET', '/HEALTH/live', '', {}],
    ['GET', '/navigation/workplace/categories', '', { takesTokenInQuery: true }],
    ['PUT', '/navigation/workplace/favourites/1', '', {}],
    ['DELETE', '/base/navigation/workplace/favourites/1', '/base', {}],
    ['GET', '/api/v2/navigation/categories', '', {}],
    ['GET', '/navigation/search/workplace?query=a', '', search],
    ['GET', '/navigation/search/', '', search],
    ['GET', '/navigation/search', '', { takesTokenInQuery: true }],
    ['GET', 'http://portal.example/navigation/search/workplace', '', search],
    ['GET', '/base/navigation/search/workplace', '/base', search],
    ['GET', '/navigation/search/workplace', '/base', search],
    ['GET', '/base/navigation/search/workplace', '', {}],
    ['GET', '/x?y=/navigation/search/', '', {}],
    ['POST', '/api/v2/authentication', '', { lane: 'sign-in', ...body({ limit: 4 }) }],
    ['POST', '/api/v2/authentication/', '', { lane: 'sign-in', ...body({ limit: 4 }) }],
    ['POST', '/api/v2/authentication/confirmation', '', { lane: 'sign-in', ...body({ limit: 4 }) }],
    ['POST', '/api/v2/directory/invitations/check', '', body({ limit: 4 })],
    ['DELETE', '/api/v2/authentication', '', body({ limit: 4 })],
    [
      'PUT',
      '/api/v2/process/tasks',
      '',
      body({
        limit: 2048,
        isBinary: false,
        mediaTypes: ['application/json', 'application/x-ndjson'],
        streamedType: 'application/x-ndjson',
      }),
    ],
    [
      'POST',
      '/api/v2/process/tasks/1/files',
      '',
      body({
        limit: 0,
        isBinary: true,
        mediaTypes: ['application/octet-stream'],
        streamedType: 'application/octet-stream',
      }),
    ],
    ['PATCH', '/api/v2/process/tasks/1', '', body({ limit: 64, isBinary: false })],
    ['PUT', '/api/v2/directory/users/24/photo', '', body({ limit: 2048, isBinary: true })],
    [
      'PUT',
      '/api/v2/directory/users/me/photo/',
      '',
      { isBelowMe: true, ...body({ limit: 2048, isBinary: true }) },
    ],
    ['DELETE', '/api/v2/directory/users/me/tokens/7', '', { isBelowMe: true }],
    ['DELETE', '/api/v2/directory/users/me/', '', {}],
    ['POST', '/api/v2/directory/users/24/photo', '', {}],
    ['PUT', '/api/v2/directory/users/2/4/photo', '', {}],
    ['PUT', '/api/v2/directory/users/24/photo/x', '', {}],
  ])('%s %s below %j', (method, target, basePath, expected) => {
    expect(differences(routeFacts(method, target, basePath))).toEqual(expected);
  });

  it('name JSON Patch first among the media types of PATCH', () => {
    const { body } = routeFacts('PATCH', '/api/v2/process/tasks/1', '');
    expect(body.mediaTypes[0]).toBe(JSON_PATCH_TYPE);
  });
});
