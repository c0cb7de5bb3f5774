import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askRaw } from './support/raw.js';
import { startTestServer, type TestServer } from './support/test-server.js';

/** Requests byte for byte as real clients send them. */

let server: TestServer;
let token: string;
let admin: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signIn('bruno.keller');
  admin = await server.signIn('alice.martin');
});
afterAll(() => server.close());

const get = (path: string, ...headers: string[]) =>
  askRaw(server.port, [`GET ${path} HTTP/1.1`, ...headers]);
const USERS = '/api/v2/directory/users';
const key = (value: string) => `X-AUTHENTICATION-KEY: ${value}`;

describe('Accept', () => {
  const NOT_ACCEPTABLE = {
    code: 406,
    message: 'Not acceptable: the Accept header excludes application/json',
  };

  it.each([
    ['HttpURLConnection of Java 8', 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2'],
    ['a weight without its zero', 'application/json;q=.9'],
    ['a weight of four digits', 'application/json;q=0.9000'],
    ['a weight above one', 'application/json;q=1.5'],
    ['an empty weight', 'application/json;q='],
    ['a star', '*'],
    ['a parameter of the type', 'application/json;charset=utf-8;odata=verbose'],
    ['a type that is not JSON', 'text/html'],
    ['a vendor type', 'application/vnd.api+json'],
    ['JSON beside an exclusion of everything else', 'application/json, */*;q=0'],
    ['nothing', ''],
  ])('is served: %s', async (_, accept) => {
    const answer = await get(`${USERS}?range=0-1`, key(token), `Accept: ${accept}`);
    expect([answer.status, answer.headers['content-type']]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
  });

  it('of Java 8 is served by all three interfaces and the sign-in', async () => {
    const accept = 'Accept: text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';
    const categories = await get(
      `/navigation/workplace/categories?_AuthenticationKey=${token}`,
      accept,
    );
    const search = await get(
      `/navigation/search/workplace?searchName=workplace_searchUsers&searchField=quickSearch&query=e&_AuthenticationKey=${token}`,
      accept,
    );
    const body = '{"login":"bruno.keller","password":"Portal-Demo-2026"}';
    const signIn = await askRaw(
      server.port,
      [
        'POST /api/v2/authentication HTTP/1.1',
        accept,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ],
      body,
    );
    expect([categories.status, search.status, signIn.status]).toEqual([200, 200, 200]);
    expect(search.body).toMatchObject({ type: 'success' });
  });

  it.each([
    'application/json;q=0',
    '*/*;q=0',
    '*;q=0.000',
    'application/json;q=0, */*',
    'text/html, application/*;q=.0',
  ])('that excludes JSON is a 406: %s', async (accept) => {
    const answer = await get(`${USERS}?range=0-1`, key(token), `Accept: ${accept}`);
    expect([answer.status, answer.body]).toEqual([406, NOT_ACCEPTABLE]);
  });

  it('of PATCH may be application/json-patch+json, and excludes only what it names', async () => {
    const patch = async (accept: string) => {
      const { id } = (await server.call(`${USERS}/me`, { token: admin })).body as { id: string };
      return askRaw(
        server.port,
        [
          `PATCH ${USERS}/${id} HTTP/1.1`,
          key(admin),
          'Content-Type: application/json-patch+json',
          `Accept: ${accept}`,
          'Content-Length: 2',
        ],
        '[]',
      );
    };
    expect((await patch('application/json-patch+json')).status).toBe(200);
    expect((await patch('application/json-patch+json, application/json;q=0')).status).toBe(200);
    const refused = await patch('application/json;q=0');
    expect([refused.status, refused.body]).toEqual([
      406,
      {
        code: 406,
        message:
          'Not acceptable: the Accept header excludes application/json-patch+json or application/json',
      },
    ]);
  });

  it('plays no part for pictures', async () => {
    const { id } = (await server.call(`${USERS}/me`, { token })).body as { id: string };
    for (const accept of ['application/json', 'image/gif, image/jpeg', '*/*;q=0']) {
      const picture = await get(
        `/navigation/directory/users/${id}/photo?_AuthenticationKey=${token}`,
        `Accept: ${accept}`,
      );
      expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/svg+xml']);
      const photo = await get(`${USERS}/${id}/photo`, key(token), `Accept: ${accept}`);
      expect(photo.status).toBe(404);
    }
  });
});
