import { describe, expect, it } from '@jest/globals';
import { parseCidrList } from '../base/config/parse-cidr-list.js';
import { CidrSet } from './cidr-set.js';

describe('CidrSet', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1', true],
    ['127.0.0.1', '::ffff:127.0.0.1', true],
    ['127.0.0.1', '::ffff:7f00:1', true],
    ['127.0.0.1', '::127.0.0.1', false],
    ['127.0.0.1', '64:ff9b::7f00:1', false],
    ['127.0.0.1', '2002:7f00:1::', false],
    ['127.0.0.1', '127.0.0.2', false],
    ['127.0.0.1', '::1', false],
    ['::ffff:10.0.0.0/104', '10.200.3.4', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['fe80::/10', 'fe80::1%eth0', false],
    ['', '127.0.0.1', false],
    ['127.0.0.1', 'unknown', false],
    ['127.0.0.1', '', false],
    ['127.0.0.1', '127.1', false],
    ['127.0.0.1', '0177.0.0.1', false],
  ])('%j admits %j: %j', (rule, address, admitted) => {
    const set = new CidrSet(parseCidrList(rule).entries);
    expect(set.has(address)).toBe(admitted);
    expect(set.ruleFor(address)).toBe(admitted ? rule : undefined);
  });
});
