import { describe, expect, it } from '@jest/globals';
import {
  Destinations,
  faultOfUrl,
  ForbiddenDestination,
} from '../../src/deliveries/engines/destinations.js';
import { parseDestinations } from '../../src/base/config/parse-destinations.js';
import { isPublicAddress } from '../../src/deliveries/engines/special-addresses.js';

/** Where pushes may go (docs/api-contract.md#destinations). */

/** A resolver that knows these names. */
const names: Record<string, string[]> = {
  'hooks.example.com': ['93.184.215.14'],
  'deep.hooks.example.com': ['93.184.215.15'],
  'six.example.com': ['2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'inner.example.com': ['10.20.0.5'],
  'both.example.com': ['93.184.215.14', '127.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
  'mapped.example.com': ['::ffff:10.20.0.5'],
  'nat64.example.com': ['64:ff9b::7f00:1'],
  'nothing.example.com': [],
};
const check = async (allowed: string, url: string): Promise<string> => {
  const destinations = new Destinations(allowed, (host) => Promise.resolve(names[host] ?? []));
  try {
    return (await destinations.check(new URL(url))).address;
  } catch (error) {
    if (!(error instanceof ForbiddenDestination)) throw error;
    return error.message;
  }
};
const notListed = (host: string) =>
  `the server parameter deliveries.destinations does not allow ${host}`;
const inner = (host: string, address: string) =>
  `${host} leads to ${address}, an inner address that the server parameter deliveries.destinations does not list`;

describe('a destination', () => {
  it.each([
    ['hooks.example.com', 'https://hooks.example.com/x', '93.184.215.14'],
    ['HOOKS.example.com', 'https://Hooks.Example.com:8443/x', '93.184.215.14'],
    ['hooks.example.com', 'https://deep.hooks.example.com/', notListed('deep.hooks.example.com')],
    ['*.example.com', 'https://deep.hooks.example.com/', '93.184.215.15'],
    ['*.hooks.example.com', 'https://hooks.example.com/', notListed('hooks.example.com')],
    ['*.example.com', 'https://six.example.com/', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
    ['', 'https://hooks.example.com/', notListed('hooks.example.com')],
    ['93.184.215.0/24', 'https://hooks.example.com/', '93.184.215.14'],
    [
      '*.example.com',
      'http://hooks.example.com/',
      'plain http goes only to networks that the server parameter deliveries.destinations lists',
    ],
    ['93.184.215.0/24', 'http://hooks.example.com/', '93.184.215.14'],
    ['inner.example.com', 'https://inner.example.com/', inner('inner.example.com', '10.20.0.5')],
    ['10.20.0.0/16', 'http://inner.example.com/', '10.20.0.5'],
    ['10.20.0.0/16', 'http://mapped.example.com/', '10.20.0.5'],
    ['*.example.com', 'https://both.example.com/', inner('both.example.com', '127.0.0.1')],
    ['93.184.215.14', 'https://both.example.com/', notListed('both.example.com')],
    [
      '*.example.com',
      'https://metadata.example.com/',
      inner('metadata.example.com', '169.254.169.254'),
    ],
    ['*.example.com', 'https://nat64.example.com/', inner('nat64.example.com', '64:ff9b::7f00:1')],
    ['127.0.0.1', 'https://nat64.example.com/', notListed('nat64.example.com')],
    ['*.example.com', 'https://nothing.example.com/', 'nothing.example.com has no address'],
    ['127.0.0.1', 'http://127.0.0.1:3000/', '127.0.0.1'],
    ['127.0.0.1', 'http://[::ffff:127.0.0.1]/', '127.0.0.1'],
  ])('is judged under %j: %s', async (allowed, url, expected) => {
    expect(await check(allowed, url)).toBe(expected);
  });

  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://0x7f.0.0.1/',
    'http://127.000.000.001/',
    'http://①②⑦.0.0.1/',
    'http://[::1]/',
    'http://[::]/',
    'http://0.0.0.0/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[64:ff9b:1::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[fd00::1]/',
    'http://[ff02::1]/',
    'http://[5f00::1]/',
    'http://10.0.0.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/',
    'http://172.16.0.1/',
    'http://192.168.0.1/',
    'http://192.0.0.192/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
  ])(
    'is never the inner address %s, even where every name and public address is allowed',
    async (url) => {
      const everywhere = new Destinations('*.example.com *.0.0.1 8.8.8.0/24');
      await expect(everywhere.check(new URL(url))).rejects.toThrow(ForbiddenDestination);
      expect(isPublicAddress(new URL(url).hostname.replace(/^\[|\]$/g, ''))).toBe(false);
    },
  );

  it.each([
    ['ftp://hooks.example.com/', 'must be an http or https address'],
    ['https://user@hooks.example.com/', 'must not hold a user name or a password'],
    ['https://hooks.example.com/#x', 'must not hold a fragment'],
    ['https://hooks.example.com\\@evil.example/', 'must be an http or https address'],
    ['hooks.example.com', 'must be an http or https address'],
    ['https://hooks.example.com/x?y=1', undefined],
  ])('has an address like %s: %s', (url, fault) => {
    expect(faultOfUrl(url)?.message).toBe(fault);
  });

  it.each([
    [
      '*.example.com',
      'http://hooks.example.com/',
      'plain http goes only to networks that the server parameter deliveries.destinations lists',
    ],
    ['*.example.com 10.0.0.0/8', 'http://hooks.example.com/', undefined],
    ['10.0.0.0/8', 'http://inner.example.com/', undefined],
    [
      '*.example.com',
      'https://other.example.org/',
      'leads to other.example.org, which the server parameter deliveries.destinations does not allow',
    ],
    ['*.example.com 10.0.0.0/8', 'https://other.example.org/', undefined],
  ])(
    'is rejected under %j as soon as none of its addresses can be allowed: %s',
    (allowed, url, fault) => {
      expect(new Destinations(allowed).faultOf(new URL(url))?.message).toBe(fault);
    },
  );

  it('is listed by names and networks', () => {
    expect(
      parseDestinations('Hooks.example.com, *.intern; 10.0.0.0/8 ::1 10.1.2.3/8 *.*.x a_b 1.2.3'),
    ).toEqual({
      hosts: ['hooks.example.com', '*.intern', 'a_b'],
      networks: '10.0.0.0/8 ::1',
      unreadable: ['10.1.2.3/8', '*.*.x', '1.2.3'],
    });
  });
});
